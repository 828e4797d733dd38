import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultCode, KeyedMutex, type Log } from '@tautan/kit';
import { mergeQuery } from '../domain/destination.js';
import { judgeUserAgent, type UserAgent } from '../domain/verdict.js';
import { prepareAnswer, stateAt, type Answer } from './answer.js';
import type { RawClick } from './clicks/recorder.js';
import type { RedirectCounters, Result } from './counters.js';
import { DomainRoutes } from './domain-routes.js';
import type { Hosts } from './hosts.js';
import { favicon, pages, robots, type PagePair } from './pages.js';
import type { RequestHead } from './request-head.js';
import { RedirectHead } from './redirect-head.js';
import { sendBody, sendPage } from './respond.js';
import type { RouteCache } from './route-cache.js';
import type { RouteReader } from './route-reader.js';
import { readTarget } from './target.js';

export interface HandlerDeps {
  hosts: Hosts;
  readHead(raw: readonly string[]): RequestHead;
  cache: RouteCache;
  routes: RouteReader;
  record(click: RawClick): void;
  counters: RedirectCounters;
  log: Log;
}

/** One visit to a slug. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  query: string;
  head: RequestHead;
  /** Who clicked; undefined when the visit does not count. */
  click: UserAgent | undefined;
}

const MOST_CLAIMS = 3;
const MAX_WAIT_MS = 10_000;
/** One in so many answers from memory is measured: looking at the clock would be a tenth of the work. */
const MEASURED = 64;

/**
 * Answers requests of visitors. What is cached is answered within the same turn of the event loop; whatever a request
 * holds, it gets an answer and never an exception.
 */
export class RedirectHandler {
  /** Set when the process is about to stop: every answer is then its connection's last. */
  draining = false;
  /** Claims on one link, or on its codes, go one after the other: in the database they would only abort each other. */
  readonly #claims = new KeyedMutex();

  readonly #domains: DomainRoutes;
  readonly #verbose: boolean;
  readonly #head = new RedirectHead();
  #handled = 0;

  constructor(private readonly deps: HandlerDeps) {
    this.#domains = new DomainRoutes(deps.cache);
    this.#verbose = deps.log.isLevelEnabled('debug');
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.draining) response.shouldKeepAlive = false;
    const began = (this.#handled += 1) % MEASURED === 0 ? performance.now() : 0;
    try {
      const result = this.#route(request, response);
      if (!result) return;
      this.#count(result);
      if (began > 0) this.deps.counters.latencies.memory.observe(performance.now() - began);
    } catch (error) {
      this.#fail(request, response, error);
    }
  };

  /** Answers at once and tells how, or undefined when the answer has to wait for the database. */
  #route(request: IncomingMessage, response: ServerResponse): Result | undefined {
    const counts = request.method === 'GET';
    if (!counts && request.method !== 'HEAD') return this.#page(request, response, 'method_not_allowed');
    const { kind, path, query } = readTarget(request.url!);
    const head = this.deps.readHead(request.rawHeaders);
    // Nothing comes after the head, so Node need not set up to drain it.
    if (!head.body) request.read(0);
    const host = head.host === undefined ? undefined : this.deps.hosts.partition(head.host);
    if (kind === 'bad' || host === undefined) return this.#page(request, response, 'bad_request');
    if (kind !== 'slug') return this.#fixed(request, response, kind, host);
    const key = host === '' ? path : host + path;
    const userAgent = judgeUserAgent(head.userAgent);
    // HEAD and loads ahead of a visit never count.
    const click = counts && !head.prefetch ? userAgent : undefined;
    const human = click !== undefined && !click.bot;
    const now = Date.now();
    const answer = host === '' ? this.deps.cache.peek(key, now) : this.#domains.peek(host, key, now);
    if (answer !== undefined && !(human && answer.limited)) {
      return this.#answer({ request, response, query, head, click }, answer, now);
    }
    this.#wait({ request, response, query, head, click }, host, key, answer);
    return undefined;
  }

  /** Answers once the database has. */
  #wait(visit: Visit, host: string, key: string, known: Answer | undefined): void {
    const { request, response, click } = visit;
    const began = performance.now();
    this.#find(host, key, click !== undefined && !click.bot, known)
      .then((found) => this.#count(this.#answer(visit, found, Date.now())))
      .catch((error: unknown) => this.#fail(request, response, error))
      .finally(() => this.deps.counters.latencies.database.observe(performance.now() - began));
  }

  #fixed(request: IncomingMessage, response: ServerResponse, kind: string, host: string): Result {
    if (kind === 'root' && host === '') return this.#page(request, response, 'landing');
    if (kind !== 'robots' && kind !== 'favicon') return this.#page(request, response, 'not_found');
    sendBody(request, response, kind === 'robots' ? robots : favicon);
    return 'file';
  }

  /** Reads what the cache does not have, and counts down the limit for a human. */
  async #find(host: string, key: string, human: boolean, known: Answer | undefined): Promise<Answer> {
    let answer = known ?? (await (host === '' ? this.deps.cache.get(key) : this.#domains.get(host, key)));
    // The limit can be raised or lifted between a claim that found nothing and the look at why.
    for (let i = 0; human && answer.limited && i < MOST_CLAIMS; i += 1) {
      const { limitKey } = answer;
      answer = await this.#inOrder(limitKey ?? key, () => this.#claim(key, limitKey !== null));
    }
    return human && answer.limited ? { ...answer, state: 'gone' } : answer;
  }

  /** Throws SERVICE_UNAVAILABLE for a visitor whose turn has not come after MAX_WAIT_MS. */
  async #inOrder<T>(key: string, claim: () => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), MAX_WAIT_MS);
    return this.#claims.run(key, claim, abort.signal).finally(() => clearTimeout(timer));
  }

  /** Counts limits down for one human: a code's own, and that of its link where `followed` says. Behind the last one it is cached that nothing remains, so that a crowd is cheap. */
  async #claim(key: string, followed: boolean): Promise<Answer> {
    const known = this.deps.cache.peek(key, Date.now());
    if (known && !known.limited) return known;
    const { routes } = this.deps;
    const claimed = await (followed ? routes.consumeBoth(key, Date.now()) : routes.consume(key, Date.now()));
    // With what remains after this visitor it may look used up already; this one was let through.
    if (claimed) return prepareAnswer({ ...claimed, remaining: null, follows: null }, Date.now(), 0);
    this.deps.cache.drop([key]);
    return this.deps.cache.get(key);
  }

  /** Answers by what stands behind the key at a moment (Unix ms), and records the click if it is one. */
  #answer({ request, response, query, head, click }: Visit, answer: Answer, at: number): Result {
    const state = stateAt(answer, at);
    if (state !== 'active') return this.#page(request, response, state === 'gone' ? 'gone' : 'not_found');
    const location = query === '' ? answer.location : mergeQuery(answer.location, query);
    this.#head.send(request, response, location, at);
    if (click) {
      const { referrer, forwardedFor, country } = head;
      const peer = request.socket.remoteAddress ?? '';
      this.deps.record({ at, answer, userAgent: click, peer, referrer, forwardedFor, country });
    }
    return 'redirect';
  }

  #page<R extends Result & keyof typeof pages>(request: IncomingMessage, response: ServerResponse, result: R): R {
    const pair: PagePair = pages[result];
    sendPage(request, response, pair);
    return result;
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const away = faultCode(error) === 'SERVICE_UNAVAILABLE';
    if (!away) this.deps.log.error({ err: error }, 'a redirect failed');
    this.#count(this.#page(request, response, away ? 'unavailable' : 'error'));
  }

  #count(result: Result): void {
    this.deps.counters.answers[result] += 1;
    if (this.#verbose) this.deps.log.debug({ op: 'redirect', code: result });
  }
}
