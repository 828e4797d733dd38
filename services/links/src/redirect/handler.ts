import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultCode, type Log } from '@tautan/kit';
import { mergeQuery } from '../domain/destination.js';
import { boundUserAgent, verdictOf, type Verdict } from '../domain/verdict.js';
import { gone, prepareAnswer, stateAt, type Answer } from './answer.js';
import type { RawClick } from './clicks/recorder.js';
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

/** One request on its way through the handler. */
interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  /** performance.now at its arrival. */
  began: number;
  head: RequestHead;
  key: string;
  query: string;
  /** undefined for HEAD, which never counts. */
  verdict: Verdict | undefined;
}

const MOST_CLAIMS = 3;

/**
 * Answers requests of visitors. What is cached is answered within the same turn of the event loop; whatever a request
 * holds, it gets an answer and never an exception.
 */
export class RedirectHandler {
  /** Set when the process is about to stop: every answer is then its connection's last. */
  draining = false;

  constructor(private readonly deps: HandlerDeps) {}

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const began = performance.now();
    if (this.draining) response.shouldKeepAlive = false;
    try {
      this.#route(request, response, began);
    } catch (error) {
      this.#fail(request, response, began, error);
    }
  };

  #route(request: IncomingMessage, response: ServerResponse, began: number): void {
    const { method } = request;
    const page = (result: Result, pair: PagePair) => this.#page(request, response, began, result, pair);
    if (method !== 'GET' && method !== 'HEAD') return page('method_not_allowed', pages.methodNotAllowed);
    const { kind, slug, query } = readTarget(request.url!);
    const head = this.deps.readHead(request.rawHeaders);
    const host = head.host === undefined ? undefined : this.deps.hosts.partition(head.host);
    if (kind === 'bad' || host === undefined) return page('bad_request', pages.badRequest);
    if (kind === 'none') return page('not_found', pages.notFound);
    if (kind === 'root') return host === '' ? page('page', pages.landing) : page('not_found', pages.notFound);
    if (kind !== 'slug') {
      sendBody(request, response, kind === 'robots' ? robots : favicon);
      return this.#count('page', began);
    }
    head.userAgent = boundUserAgent(head.userAgent);
    const verdict = method === 'GET' ? verdictOf(head.userAgent, head.prefetch) : undefined;
    this.#visit({ request, response, began, head, key: `${host}/${slug}`, query, verdict });
  }

  #visit(visit: Visit): void {
    const answer = this.deps.cache.peek(visit.key, visit.began);
    if (answer && !(answer.limited && visit.verdict === 'human')) return this.#answer(visit, answer);
    this.#find(visit)
      .then((found) => this.#answer(visit, found))
      .catch((error: unknown) => this.#fail(visit.request, visit.response, visit.began, error));
  }

  /** Reads what the cache does not have, and counts down the limit where the visitor is one whom it counts. */
  async #find({ key, verdict }: Visit): Promise<Answer> {
    let answer = await this.deps.cache.get(key);
    // The limit can be raised or lifted between a claim that found nothing and the look at why.
    for (let i = 0; i < MOST_CLAIMS && answer.limited && verdict === 'human'; i += 1) {
      const claimed = await this.deps.routes.consume(key, Date.now());
      if (claimed) return { ...prepareAnswer({ ...claimed, remaining: 1 }) };
      this.deps.cache.drop([key]);
      answer = await this.deps.cache.get(key);
    }
    return answer.limited && verdict === 'human' ? gone : answer;
  }

  #answer(visit: Visit, answer: Answer): void {
    const { request, response, began, head, query, verdict } = visit;
    const at = Date.now();
    const state = stateAt(answer, at);
    if (state === 'missing') return this.#page(request, response, began, 'not_found', pages.notFound);
    if (state === 'gone') return this.#page(request, response, began, 'gone', pages.gone);
    sendRedirect(response, query === '' ? answer.location : mergeQuery(answer.location, query));
    if (verdict === 'human' || verdict === 'bot') {
      this.deps.record({
        at,
        answer,
        human: verdict === 'human',
        userAgent: head.userAgent,
        referrer: head.referrer,
        peer: request.socket.remoteAddress ?? '',
        forwardedFor: head.forwardedFor,
        edgeCountry: head.country,
      });
    }
    this.#count('redirect', began);
  }

  #page(request: IncomingMessage, response: ServerResponse, began: number, result: Result, pair: PagePair): void {
    sendPage(request, response, pair);
    this.#count(result, began);
  }

  #fail(request: IncomingMessage, response: ServerResponse, began: number, error: unknown): void {
    const away = faultCode(error) === 'SERVICE_UNAVAILABLE';
    if (!away) this.deps.log.error({ err: error }, 'a redirect failed');
    this.#page(request, response, began, away ? 'unavailable' : 'error', away ? pages.unavailable : pages.error);
  }

  #count(result: Result, began: number): void {
    const ms = performance.now() - began;
    this.deps.counters.answered(result, ms);
    if (this.deps.log.isLevelEnabled('debug')) this.deps.log.debug({ op: 'redirect', code: result, ms });
  }
}
