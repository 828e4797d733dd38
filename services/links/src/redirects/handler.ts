import { faultCode, KeyedMutex, withInterrupt, type ClientAddresses, type Log } from '@tautan/kit';
import { mergeQuery } from '../links/domain/destination.js';
import { domainKey } from './domain/route.js';
import { classifyUserAgent, type UserAgent } from './domain/user-agent.js';
import { OverBudget, type AddressBudget, type BudgetKind } from './address-budget.js';
import { prepareRoute, stateAt, type CachedRoute } from './cached-route.js';
import type { RawClick } from './clicks/recorder.js';
import type { RedirectCounters, Result } from './counters.js';
import { DomainRoutes } from './domain-routes.js';
import type { Exchange } from './exchange.js';
import type { FallbackReason, Fallbacks } from './fallbacks.js';
import type { Hosts } from './hosts.js';
import { favicon, robots, wantsHtml, type PageName } from './pages.js';
import type { RouteCache } from './route-cache.js';
import type { RouteReader } from './route-reader.js';
import { readTarget } from './target.js';

export interface HandlerDeps {
  hosts: Hosts;
  cache: RouteCache;
  routes: RouteReader;
  fallbacks: Fallbacks;
  clients: ClientAddresses;
  budgets: Record<BudgetKind, AddressBudget>;
  record(click: RawClick): void;
  counters: RedirectCounters;
  log: Log;
}

/** A valid request: its host and query, and whether it counts as a click. */
interface Visit {
  /** Empty on the default domain. */
  host: string;
  exchange: Exchange;
  query: string;
  /** User agent of the click; undefined if the request does not count as one. */
  click: UserAgent | undefined;
}

const MAX_CLAIMS = 3;
const MAX_WAIT_MS = 10_000;
/** One in this many responses from memory is timed: timing each would take a tenth of the time spent on requests. */
const SAMPLE_INTERVAL = 64;

/**
 * Handles requests of visitors. Cached routes are served within the same turn of the event loop, except to visitors who
 * consume a limit. Every request gets a response, whatever it contains; handling never throws.
 */
export class RedirectHandler {
  /**
   * Serializes claims on each limit, because concurrent transactions would abort each other. Claims for a limited link
   * and for its QR codes share one queue.
   */
  readonly #claims = new KeyedMutex();
  /** Keys with a lookup in progress. Requests that join it cause no read of their own. */
  readonly #lookups = new Set<string>();

  readonly #domains: DomainRoutes;
  readonly #verbose: boolean;
  #handled = 0;

  constructor(private readonly deps: HandlerDeps) {
    this.#domains = new DomainRoutes(deps.cache);
    this.#verbose = deps.log.isLevelEnabled('debug');
  }

  readonly handle = (exchange: Exchange): void => {
    const startedAt = (this.#handled += 1) % SAMPLE_INTERVAL === 0 ? performance.now() : 0;
    try {
      const result = this.#route(exchange);
      if (!result) return;
      this.#count(result);
      if (startedAt > 0) this.deps.counters.latencies.memory.observe(performance.now() - startedAt, SAMPLE_INTERVAL);
    } catch (error) {
      this.#fail(exchange, error);
    }
  };

  /** Responds immediately and returns the result, or undefined if the response has to wait for the database. */
  #route(exchange: Exchange): Result | undefined {
    const { method, head } = exchange;
    const counts = method === 'GET';
    if (!counts && method !== 'HEAD') return this.#page(exchange, 'method_not_allowed');
    const { kind, path, query } = readTarget(exchange.target);
    const host = head.host === undefined ? undefined : this.deps.hosts.routingHost(head.host);
    if (kind === 'bad' || host === undefined) return this.#page(exchange, 'bad_request');
    if (kind !== 'slug') return this.#respondToPath({ host, exchange, query, click: undefined }, kind);
    const key = host === '' ? path : host + path;
    const userAgent = classifyUserAgent(head.userAgent);
    // HEAD requests and prefetches never count.
    const click = counts && !head.prefetch ? userAgent : undefined;
    const human = click !== undefined && !click.bot;
    const now = Date.now();
    const route = host === '' ? this.deps.cache.peek(key, now) : this.#domains.peek(host, key, now);
    if (route !== undefined && !(human && route.limited)) {
      const visit = { host, exchange, query, click };
      if (route.state === 'missing') this.#chargeMiss(visit);
      return this.#respond(visit, route, now);
    }
    const visit = { host, exchange, query, click };
    this.#wait(
      visit,
      this.#find(visit, key, route).then((found) => this.#respond(visit, found, Date.now())),
    );
    return undefined;
  }

  /** Counts the result of a response that waits for the database. */
  #wait({ exchange }: Visit, pendingResult: Promise<Result>): void {
    const startedAt = performance.now();
    pendingResult
      .then((result) => this.#count(result))
      .catch((error: unknown) => this.#fail(exchange, error))
      .finally(() => this.deps.counters.latencies.database.observe(performance.now() - startedAt));
  }

  /** Responds to paths that are not slugs. Returns undefined if the domain must be read first. */
  #respondToPath(visit: Visit, kind: string): Result | undefined {
    if (kind === 'robots' || kind === 'favicon') {
      visit.exchange.send(kind === 'robots' ? robots : favicon);
      return 'file';
    }
    const reason = kind === 'root' ? 'landing' : 'not_found';
    const now = Date.now();
    const key = domainKey(visit.host);
    if (visit.host === '' || this.deps.cache.peek(key, now)) return this.#fallBack(visit, reason, now);
    this.#wait(
      visit,
      this.#lookUp(visit, key).then(() => this.#fallBack(visit, reason, Date.now())),
    );
    return undefined;
  }

  /** Responds to a request without a link to redirect to: redirects to the configured fallback URL, or sends a page. */
  #fallBack({ host, exchange, query }: Visit, reason: FallbackReason, at: number): Result {
    const { location, page } = this.deps.fallbacks.of(host, reason);
    if (location === null) return this.#page(exchange, page);
    exchange.redirect(query === '' ? location : mergeQuery(location, query), at);
    return reason;
  }

  /**
   * Returns the route of a key. Reads the route unless the cached one is given as `known`. If the route is limited and
   * the visitor is human, consumes the limit. Rejects with OverBudget if the client's budget is used up.
   */
  async #find(visit: Visit, key: string, known: CachedRoute | undefined): Promise<CachedRoute> {
    // A cached route only gets here to consume its limit.
    if (known) return this.#admit(visit, key, known);
    const human = visit.click !== undefined && !visit.click.bot;
    const found = await this.#lookUp(visit, key);
    return human && found.limited ? this.#admit(visit, key, found) : found;
  }

  /**
   * Reads a route. The client's budget for unknown slugs is charged before the read and refunded if the route exists.
   * Requests that join a lookup, or that refresh a stale route, are charged only if the route is missing, because many
   * visits to the same new or cached link are not attempts to guess slugs.
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

  /** Returns the client address; empty if unknown. */
  #addressOf({ exchange: { peer, head } }: Visit): string {
    return this.deps.clients.ownOf(peer, head.forwardedFor);
  }

  /**
   * Consumes a limit for a human, within the client's budget for the limited link or QR code. The QR codes of a limited
   * link share the budget of the link.
   */
  #admit(visit: Visit, key: string, limited: CachedRoute): Promise<CachedRoute> {
    const consumeLimit = () => this.#consumeLimit(key, limited);
    const scope = limited.limitKey ?? key;
    return this.deps.budgets.limited.spend(
      this.#addressOf(visit),
      scope,
      consumeLimit,
      ({ state }) => state === 'active',
    );
  }

  async #consumeLimit(key: string, limited: CachedRoute): Promise<CachedRoute> {
    let route = limited;
    // The limit can be raised or lifted between a failed claim and the read that follows.
    for (let i = 0; route.limited && i < MAX_CLAIMS; i += 1) {
      const { limitKey } = route;
      route = await this.#serialize(limitKey ?? key, () => this.#claim(key, limitKey !== null));
    }
    return route.limited ? { ...route, state: 'gone' } : route;
  }

  /** Throws SERVICE_UNAVAILABLE if a claim does not start within MAX_WAIT_MS. */
  async #serialize<T>(key: string, claim: () => Promise<T>): Promise<T> {
    const abort = new AbortController();
    return withInterrupt(this.#claims.run(key, claim, abort.signal), MAX_WAIT_MS, () => abort.abort());
  }

  /**
   * Consumes the limits for one human: that of the route, and that of its link if `viaLink`. If a limit is exhausted,
   * reads and caches the exhausted route, so that further visits do not reach the database.
   */
  async #claim(key: string, viaLink: boolean): Promise<CachedRoute> {
    const known = this.deps.cache.peek(key, Date.now());
    if (known && !known.limited) return known;
    const { routes } = this.deps;
    const claimed = await (viaLink ? routes.consumeBoth(key, Date.now()) : routes.consume(key, Date.now()));
    // This visitor was admitted, even if the limit is now exhausted.
    if (claimed) return prepareRoute({ ...claimed, remaining: null, follows: null }, Date.now(), 0);
    this.deps.cache.drop([key]);
    return this.deps.cache.get(key);
  }

  /** Responds with a route, in its state at the time `at` (Unix ms), and records the click if there is one. */
  #respond(visit: Visit, route: CachedRoute, at: number): Result {
    const { exchange, query, click } = visit;
    const state = stateAt(route, at);
    if (state !== 'active') return this.#fallBack(visit, state === 'gone' ? 'gone' : 'not_found', at);
    const location = query === '' ? route.location : mergeQuery(route.location, query);
    exchange.redirect(location, at);
    if (click) {
      const { peer, head } = exchange;
      const { referrer, forwardedFor, country } = head;
      this.deps.record({ at, route, userAgent: click, peer, referrer, forwardedFor, country });
    }
    return 'redirect';
  }

  /** Responds with a page in the format that the visitor accepts, with `further` headers (name, value …). */
  #page<R extends PageName>(exchange: Exchange, result: R, ...further: string[]): R {
    const host = this.deps.hosts.routingHost(exchange.head.host ?? '') ?? '';
    const { html, plain } = this.deps.fallbacks.pagesOf(host)[result];
    const page = wantsHtml(exchange.accept) ? html : plain;
    exchange.send(further.length === 0 ? page : { ...page, fields: [...page.fields, ...further] });
    return result;
  }

  #fail(exchange: Exchange, error: unknown): void {
    if (error instanceof OverBudget) {
      const { kind, retryAfterSeconds } = error;
      return this.#count(this.#page(exchange, `refused_${kind}`, 'Retry-After', String(retryAfterSeconds)));
    }
    const isUnavailable = faultCode(error) === 'SERVICE_UNAVAILABLE';
    if (!isUnavailable) this.deps.log.error({ err: error }, 'redirect failed');
    this.#count(this.#page(exchange, isUnavailable ? 'unavailable' : 'error'));
  }

  #count(result: Result): void {
    this.deps.counters.responses[result] += 1;
    if (this.#verbose) this.deps.log.debug({ op: 'redirect', code: result });
  }
}
