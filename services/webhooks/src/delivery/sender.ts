import {
  describeSpan,
  EgressRefused,
  inSpan,
  traceparent,
  withInterrupt,
  withTimeout,
  type EgressGuard,
} from '@tautan/kit';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { retryAfterOf, type Outcome } from '../domain/schedule.js';
import { AttemptError, failureReason } from './failure-reason.js';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Number of earlier attempts. */
  earlier?: number;
}

export interface SenderOptions {
  guard: EgressGuard;
  /** Timeout from the start of the DNS lookup until the response headers have arrived, milliseconds. */
  timeoutMs: number;
  /** PEM certificates to trust instead of the default ones (tests). */
  ca?: string;
  now: () => Date;
  /**
   * Returns the id of the current lease; undefined without one. A message is posted only if the lease is still the same
   * immediately before its first byte is sent.
   */
  lease?: () => string | undefined;
}

const SNIPPET_BYTES = 1_024;
/** Responses up to this size are read completely, so that their connections can be reused. */
const READ_BYTES = 16 * 1_024;
/** Timeout for reading the response body. Reaching it does not affect the result of the attempt. */
const READ_MS = 1_000;
const IDLE_CONNECTION_MS = 4_000;

/** Posts messages to addresses that passed the guard. Follows no redirects, and reads at most 16 KiB of a response. */
export class Sender {
  readonly #dispatcher: Dispatcher;

  constructor(private readonly options: SenderOptions) {
    const agent = new Agent({
      connect: guardedConnector(options),
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#dispatcher = options.lease ? agent.compose(leaseCheck(options.lease)) : agent;
  }

  /**
   * Makes one attempt. Resolves with undefined if the lease was lost and nothing was sent. Never rejects.
   */
  send(message: Message): Promise<Outcome | undefined> {
    return inSpan('POST', { kind: 'client', attributes: { 'http.request.method': 'POST' } }, async () => {
      const trace = traceparent();
      const headers = { ...message.headers, ...(trace !== undefined && { traceparent: trace }) };
      const outcome = await this.#post({ ...message, headers });
      describeAttempt(message, outcome);
      return outcome;
    });
  }

  async #post({ url, headers, body }: Message): Promise<Outcome | undefined> {
    const { timeoutMs, now } = this.options;
    const at = now();
    const began = performance.now();
    const ended = () => ({ at, durationMs: Math.round(performance.now() - began) });
    const abort = new AbortController();
    // Throws in addition to aborting, because undici checks the signal only once it is connected.
    const onTimeout = (): never => {
      const reason = new AttemptError(`no response within ${timeoutMs / 1_000} s`);
      abort.abort(reason);
      throw reason;
    };
    try {
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: 'POST', headers, body, signal: abort.signal } as const;
      const response = await withTimeout(this.#dispatcher.request(request), timeoutMs, onTimeout);
      const { statusCode } = response;
      const responseSnippet = await snippetOf(response);
      const error = statusCode >= 200 && statusCode < 300 ? null : `the receiver responded with ${statusCode}`;
      const retryAfterMs = retryAfterOf(statusCode, firstOf(response.headers['retry-after']), now());
      return { ...ended(), statusCode, error, responseSnippet, retryAfterMs };
    } catch (error) {
      if (error instanceof LeaseLost) return undefined;
      return { ...ended(), statusCode: null, error: failureReason(error), responseSnippet: null, retryAfterMs: null };
    }
  }

  /** Destroys every connection. */
  stop(): Promise<void> {
    return this.#dispatcher.destroy();
  }
}

/**
 * Adds an attempt's attributes to the current span. Follows the OpenTelemetry conventions for HTTP, but omits
 * `url.full`, because the path of many receivers is a secret.
 */
function describeAttempt({ url, earlier = 0 }: Message, outcome: Outcome | undefined): void {
  const statusCode = outcome?.statusCode;
  const attributes = () => {
    const { hostname, port, protocol } = new URL(url);
    return {
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      ...(earlier > 0 && { 'http.request.resend_count': earlier }),
      ...(statusCode && { 'http.response.status_code': statusCode }),
    };
  };
  // An attempt without a lease sent nothing, so it has not failed.
  const errorType = outcome && outcome.error !== null ? `${statusCode ?? '_OTHER'}` : undefined;
  describeSpan(attributes, errorType);
}

class LeaseLost extends Error {}

/**
 * Aborts a request if the lease has changed by the time of its first byte. That may be long after the request was made:
 * undici may have to connect first, and it lets the event loop turn once before it reuses a connection.
 */
function leaseCheck(lease: () => string | undefined): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const leaseAtStart = lease();
    const start = handler.onRequestStart!.bind(handler);
    handler.onRequestStart = (controller, context) => {
      if (leaseAtStart !== undefined && lease() === leaseAtStart) start(controller, context);
      else controller.abort(new LeaseLost());
    };
    return dispatch(options, handler);
  };
}

/** Connects as undici does, unless the guard refuses the address. */
function guardedConnector({ guard, timeoutMs, ca }: SenderOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guard.lookup, ...(ca !== undefined && { ca }) });
  return (options, callback) => {
    // Literal addresses are never resolved, so check them here; names are checked during the lookup.
    if (guard.mayConnectTo(options.hostname)) connect(options, callback);
    else callback(new EgressRefused(options.hostname), null);
  };
}

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Returns the first KiB of a response as text; null if it is empty. The rest is discarded. */
async function snippetOf({ body }: Dispatcher.ResponseData): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const read = async (): Promise<void> => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < SNIPPET_BYTES) chunks.push(chunk.subarray(0, SNIPPET_BYTES - bytes));
      bytes += chunk.length;
      // Leaving the loop destroys the body and its connection.
      if (bytes > READ_BYTES) break;
    }
  };
  // If the connection is lost or the timeout is reached, return what was received.
  await withInterrupt(read(), READ_MS, () => body.destroy()).catch(() => undefined);
  return bytes === 0 ? null : new TextDecoder().decode(Buffer.concat(chunks));
}
