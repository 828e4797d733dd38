import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultCode, type Log } from '@tautan/kit';
import { mergeQuery } from '../domain/destination.js';
import { Turns } from '../domain/turns.js';
import { judgeUserAgent } from '../domain/verdict.js';
import { gone, prepareAnswer, stateAt, type Answer } from './answer.js';
import type { RawClick } from './clicks/flush.js';
import type { RedirectCounters, Result } from './counters.js';
import type { Hosts } from './hosts.js';
import { favicon, pages, robots, type PagePair } from './pages.js';
import type { RequestHead } from './request-head.js';
import { sendBody, sendPage, sendRedirect } from './respond.js';
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

const MOST_CLAIMS = 3;

/**
 * Answers requests of visitors. What is cached is answered within the same turn of the event loop; whatever a request
 * holds, it gets an answer and never an exception.
 */
export class RedirectHandler {
  /** Set when the process is about to stop: every answer is then its connection's last. */
  draining = false;
  /** Claims on one link go one after the other. */
  readonly #claims = new Turns();

  readonly #verbose: boolean;

  constructor(private readonly deps: HandlerDeps) {
    this.#verbose = deps.log.isLevelEnabled('debug');
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const began = performance.now();
    if (this.draining) response.shouldKeepAlive = false;
    try {
      const result = this.#route(request, response, began);
      if (result) this.#count(result, began);
    } catch (error) {
      this.#fail(request, response, began, error);
    }
  };

  /** Answers at once and tells how, or undefined when the answer has to wait for the database. */
  #route(request: IncomingMessage, response: ServerResponse, began: number): Result | undefined {
    const counts = request.method === 'GET';
    if (!counts && request.method !== 'HEAD') return this.#page(request, response, 'method_not_allowed');
    const { kind, path, query } = readTarget(request.url!);
    const head = this.deps.readHead(request.rawHeaders);
    const host = head.host === undefined ? undefined : this.deps.hosts.partition(head.host);
    if (kind === 'bad' || host === undefined) return this.#page(request, response, 'bad_request');
    if (kind !== 'slug') return this.#fixed(request, response, kind, host);
    const key = host === '' ? path : host + path;
    const userAgent = judgeUserAgent(head.userAgent);
    // HEAD and loads ahead of a visit never count.
    const click = counts && !head.prefetch ? userAgent : undefined;
    const human = click !== undefined && !click.bot;
    const answer = this.deps.cache.peek(key, began);
    if (answer !== undefined && !(human && answer.limited)) {
      return this.#answer(request, response, answer, query, head, click);
    }
    this.#find(key, human, answer)
      .then((found) => this.#count(this.#answer(request, response, found, query, head, click), began))
      .catch((error: unknown) => this.#fail(request, response, began, error));
    return undefined;
  }

  #fixed(request: IncomingMessage, response: ServerResponse, kind: string, host: string): Result {
    if (kind === 'root' && host === '') return this.#page(request, response, 'landing');
    if (kind !== 'robots' && kind !== 'favicon') return this.#page(request, response, 'not_found');
    sendBody(request, response, kind === 'robots' ? robots : favicon);
    return 'file';
  }

  /** Reads what the cache does not have, and counts down the limit for a human. */
  async #find(key: string, human: boolean, known: Answer | undefined): Promise<Answer> {
    let answer = known ?? (await this.deps.cache.get(key));
    // The limit can be raised or lifted between a claim that found nothing and the look at why.
    for (let i = 0; human && answer.limited && i < MOST_CLAIMS; i += 1) {
      answer = await this.#claims.take(key, () => this.#claim(key));
    }
    return human && answer.limited ? gone : answer;
  }

  /** Counts a limit down for one human. Behind the last one it is cached that nothing remains, so that a crowd is cheap. */
  async #claim(key: string): Promise<Answer> {
    const known = this.deps.cache.peek(key, performance.now());
    if (known && !known.limited) return known;
    const claimed = await this.deps.routes.consume(key, Date.now());
    // With what remains after this visitor it may look used up already; this one was let through.
    if (claimed) return prepareAnswer({ ...claimed, remaining: null });
    this.deps.cache.drop([key]);
    return this.deps.cache.get(key);
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
    query: string,
    head: RequestHead,
    click: RawClick['userAgent'] | undefined,
  ): Result {
    const at = Date.now();
    const state = stateAt(answer, at);
    if (state !== 'active') return this.#page(request, response, state === 'gone' ? 'gone' : 'not_found');
    sendRedirect(response, query === '' ? answer.location : mergeQuery(answer.location, query));
    if (click) this.deps.record({ at, answer, userAgent: click, head, peer: request.socket.remoteAddress ?? '' });
    return 'redirect';
  }

  #page<R extends Result & keyof typeof pages>(request: IncomingMessage, response: ServerResponse, result: R): R {
    const pair: PagePair = pages[result];
    sendPage(request, response, pair);
    return result;
  }

  #fail(request: IncomingMessage, response: ServerResponse, began: number, error: unknown): void {
    const away = faultCode(error) === 'SERVICE_UNAVAILABLE';
    if (!away) this.deps.log.error({ err: error }, 'a redirect failed');
    this.#count(this.#page(request, response, away ? 'unavailable' : 'error'), began);
  }

  #count(result: Result, began: number): void {
    const ms = performance.now() - began;
    this.deps.counters.answered(result, ms);
    if (this.#verbose) this.deps.log.debug({ op: 'redirect', code: result, ms });
  }
}
