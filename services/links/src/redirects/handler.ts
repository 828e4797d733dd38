import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultCode, KeyedMutex, type ClientAddresses, type Log } from '@tautan/kit';
import { mergeQuery } from '../links/domain/destination.js';
import { domainKey } from './domain/route.js';
import { judgeUserAgent, type UserAgent } from './domain/user-agent.js';
import { OverBudget, type AddressBudget, type BudgetKind } from './address-budget.js';
import { prepareRoute, stateAt, type CachedRoute } from './cached-route.js';
import type { RawClick } from './clicks/recorder.js';
import type { RedirectCounters, Result } from './counters.js';
import { DomainRoutes } from './domain-routes.js';
import type { Ending, Fallbacks } from './fallbacks.js';
import type { Hosts } from './hosts.js';
import { favicon, robots, type PageName } from './pages.js';
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
  fallbacks: Fallbacks;
  clients: ClientAddresses;
  budgets: Record<BudgetKind, AddressBudget>;
  record(click: RawClick): void;
  counters: RedirectCounters;
  log: Log;
}

/** One visit to a slug, or to another address of a custom domain. */
interface Visit {
  /** Empty on the default domain. */
  host: string;
  request: IncomingMessage;
  response: ServerResponse;
  query: string;
  head: RequestHead;
  /** Who clicked; undefined when the visit does not count. */
  click: UserAgent | undefined;
}

const MAX_CLAIMS = 3;
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
  /** Keys that are being looked up. Requests that join such a lookup cost no read of their own. */
  readonly #lookups = new Set<string>();

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
      if (began > 0) this.deps.counters.latencies.memory.observe(performance.now() - began, MEASURED);
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
    if (kind !== 'slug') return this.#fixed({ host, request, response, query, head, click: undefined }, kind);
    const key = host === '' ? path : host + path;
    const userAgent = judgeUserAgent(head.userAgent);
    // HEAD and loads ahead of a visit never count.
    const click = counts && !head.prefetch ? userAgent : undefined;
    const human = click !== undefined && !click.bot;
    const now = Date.now();
    const answer = host === '' ? this.deps.cache.peek(key, now) : this.#domains.peek(host, key, now);
    if (answer !== undefined && !(human && answer.limited)) {
      const visit = { host, request, response, query, head, click };
      if (answer.state === 'missing') this.#chargeMiss(visit);
      return this.#answer(visit, answer, now);
    }
    const visit = { host, request, response, query, head, click };
    this.#wait(
      visit,
      this.#find(visit, key, answer).then((found) => this.#answer(visit, found, Date.now())),
    );
    return undefined;
  }

  /** Counts what is answered once the database has answered. */
  #wait({ request, response }: Visit, answered: Promise<Result>): void {
    const began = performance.now();
    answered
      .then((result) => this.#count(result))
      .catch((error: unknown) => this.#fail(request, response, error))
      .finally(() => this.deps.counters.latencies.database.observe(performance.now() - began));
  }

  /** Answers at paths that are no slug's; undefined when it has to be read first whose domain it is. */
  #fixed(visit: Visit, kind: string): Result | undefined {
    if (kind === 'robots' || kind === 'favicon') {
      sendBody(visit.request, visit.response, kind === 'robots' ? robots : favicon);
      return 'file';
    }
    const ending = kind === 'root' ? 'landing' : 'not_found';
    const now = Date.now();
    const key = domainKey(visit.host);
    if (visit.host === '' || this.deps.cache.peek(key, now)) return this.#end(visit, ending, now);
    this.#wait(
      visit,
      this.#lookUp(visit, key).then(() => this.#end(visit, ending, Date.now())),
    );
    return undefined;
  }

  /** Answers where there is no link to follow: a redirect where one is configured, else a page. */
  #end({ host, request, response, query }: Visit, ending: Ending, at: number): Result {
    const { location, page } = this.deps.fallbacks.of(host, ending);
    if (location === null) return this.#page(request, response, page);
    this.#head.send(request, response, query === '' ? location : mergeQuery(location, query), at);
    return ending;
  }

  /** Reads what the cache does not have, and counts down the limit for a human. Rejects with OverBudget. */
  async #find(visit: Visit, key: string, known: CachedRoute | undefined): Promise<CachedRoute> {
    // Known answers come here only to be counted down.
    if (known) return this.#pass(visit, key, known);
    const human = visit.click !== undefined && !visit.click.bot;
    const found = await this.#lookUp(visit, key);
    return human && found.limited ? this.#pass(visit, key, found) : found;
  }

  /**
   * Reads an answer on the budget for unknown slugs, which is charged before the read and refunded if something is found.
   * Requests that join a lookup, or have a stale answer read again, are charged afterwards: neither a crowd at a new link nor
   * visits to a known one are guesses.
   */
  async #lookUp(visit: Visit, key: string): Promise<CachedRoute> {
    const { host } = visit;
    const read = () => (host === '' ? this.deps.cache.get(key) : this.#domains.get(host, key));
    if (this.#lookups.has(key) || this.deps.cache.knows(key)) {
      return read().then((found) => {
        if (found.state === 'missing') this.#chargeMiss(visit);
        return found;
      });
    }
    const lookUp = () => {
      this.#lookups.add(key);
      return read().finally(() => this.#lookups.delete(key));
    };
    return this.deps.budgets.unknown.spend(this.#addressOf(visit), '', lookUp, ({ state }) => state === 'missing');
  }

  #chargeMiss(visit: Visit): void {
    this.deps.budgets.unknown.charge(this.#addressOf(visit));
  }

  /** Empty where it is not known. */
  #addressOf({ request, head }: Visit): string {
    return this.deps.clients.ownOf(request.socket.remoteAddress ?? '', head.forwardedFor);
  }

  /** Lets a human through a limit, on the budget for visits to the link: the codes of a link share its budget. */
  #pass(visit: Visit, key: string, limited: CachedRoute): Promise<CachedRoute> {
    const countDown = () => this.#countDown(key, limited);
    const scope = limited.limitKey ?? key;
    return this.deps.budgets.limited.spend(this.#addressOf(visit), scope, countDown, ({ state }) => state === 'active');
  }

  async #countDown(key: string, limited: CachedRoute): Promise<CachedRoute> {
    let answer = limited;
    // The limit can be raised or lifted between a claim that found nothing and the look at why.
    for (let i = 0; answer.limited && i < MAX_CLAIMS; i += 1) {
      const { limitKey } = answer;
      answer = await this.#inOrder(limitKey ?? key, () => this.#claim(key, limitKey !== null));
    }
    return answer.limited ? { ...answer, state: 'gone' } : answer;
  }

  /** Throws SERVICE_UNAVAILABLE for a visitor whose turn has not come after MAX_WAIT_MS. */
  async #inOrder<T>(key: string, claim: () => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), MAX_WAIT_MS);
    return this.#claims.run(key, claim, abort.signal).finally(() => clearTimeout(timer));
  }

  /** Counts limits down for one human: a code's own, and that of its link where `followed` says. Behind the last one it is cached that nothing remains, so that a crowd is cheap. */
  async #claim(key: string, followed: boolean): Promise<CachedRoute> {
    const known = this.deps.cache.peek(key, Date.now());
    if (known && !known.limited) return known;
    const { routes } = this.deps;
    const claimed = await (followed ? routes.consumeBoth(key, Date.now()) : routes.consume(key, Date.now()));
    // With what remains after this visitor it may look used up already; this one was let through.
    if (claimed) return prepareRoute({ ...claimed, remaining: null, follows: null }, Date.now(), 0);
    this.deps.cache.drop([key]);
    return this.deps.cache.get(key);
  }

  /** Answers by what stands behind the key at a moment (Unix ms), and records the click if it is one. */
  #answer(visit: Visit, answer: CachedRoute, at: number): Result {
    const { request, response, query, head, click } = visit;
    const state = stateAt(answer, at);
    if (state !== 'active') return this.#end(visit, state === 'gone' ? 'gone' : 'not_found', at);
    const location = query === '' ? answer.location : mergeQuery(answer.location, query);
    this.#head.send(request, response, location, at);
    if (click) {
      const { referrer, forwardedFor, country } = head;
      const peer = request.socket.remoteAddress ?? '';
      this.deps.record({ at, answer, userAgent: click, peer, referrer, forwardedFor, country });
    }
    return 'redirect';
  }

  #page<R extends PageName>(request: IncomingMessage, response: ServerResponse, result: R, ...further: string[]): R {
    const host = this.deps.hosts.partition(request.headers.host ?? '') ?? '';
    sendPage(request, response, this.deps.fallbacks.pagesOf(host)[result], further);
    return result;
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof OverBudget) {
      const { kind, retryAfterSeconds } = error;
      return this.#count(this.#page(request, response, `refused_${kind}`, 'Retry-After', String(retryAfterSeconds)));
    }
    const away = faultCode(error) === 'SERVICE_UNAVAILABLE';
    if (!away) this.deps.log.error({ err: error }, 'a redirect failed');
    this.#count(this.#page(request, response, away ? 'unavailable' : 'error'));
  }

  #count(result: Result): void {
    this.deps.counters.answers[result] += 1;
    if (this.#verbose) this.deps.log.debug({ op: 'redirect', code: result });
  }
}
