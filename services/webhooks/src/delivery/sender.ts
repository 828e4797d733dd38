import { describeSpan, EgressRefused, inSpan, traceparent, type EgressGuard } from '@tautan/kit';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { retryAfterOf, type Outcome } from '../domain/schedule.js';
import { AttemptError, failureReason } from './failure-reason.js';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Attempts that were made before. */
  earlier?: number;
}

export interface SenderOptions {
  guard: EgressGuard;
  /** Longest time from the look-up of the name to the answer's status, milliseconds. */
  timeoutMs: number;
  /** PEM certificates to trust beside the machine's own (tests). */
  ca?: string;
  now: () => Date;
  /** Whether a message may still be posted, checked when a connection is established. */
  permitted?: () => boolean;
}

const SNIPPET_BYTES = 1_024;
/** An answer that is no longer is read whole, so that its connection can serve the next delivery. */
const READ_BYTES = 16 * 1_024;
/** Longest time for an answer's body: it decides nothing. */
const READ_MS = 1_000;
const IDLE_CONNECTION_MS = 4_000;

/** Posts messages, each to an address that the guard has looked at; follows no redirect and reads no more than 16 KiB. */
export class Sender {
  readonly #agent: Agent;

  constructor(private readonly options: SenderOptions) {
    this.#agent = new Agent({
      connect: guardedConnector(options),
      keepAliveTimeout: IDLE_CONNECTION_MS,
      keepAliveMaxTimeout: IDLE_CONNECTION_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** One attempt. Returns undefined if nothing was sent because it was no longer permitted. Never rejects. */
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
    let timer: NodeJS.Timeout | undefined;
    // Also by itself: undici looks at the signal only once it is connected.
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const reason = new AttemptError(`no answer within ${timeoutMs / 1_000} s`);
        reject(reason);
        abort.abort(reason);
      }, timeoutMs);
    });
    try {
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: 'POST', headers, body, signal: abort.signal } as const;
      const answer = await Promise.race([this.#agent.request(request), late]);
      clearTimeout(timer);
      const { statusCode } = answer;
      const responseSnippet = await snippetOf(answer);
      const error = statusCode >= 200 && statusCode < 300 ? null : `the receiver answered ${statusCode}`;
      const retryAfterMs = retryAfterOf(statusCode, single(answer.headers['retry-after']), now());
      return { ...ended(), statusCode, error, responseSnippet, retryAfterMs };
    } catch (error) {
      if (error instanceof NotPermitted) return undefined;
      return { ...ended(), statusCode: null, error: failureReason(error), responseSnippet: null, retryAfterMs: null };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cuts every connection. */
  stop(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** By the semantic conventions for HTTP, but without `url.full`: many receivers are known by a secret in their path. */
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
  const failed = outcome?.error === null ? undefined : statusCode ? `${statusCode}` : '_OTHER';
  describeSpan(attributes, failed);
}

class NotPermitted extends Error {}

/** Connects as undici does, but nowhere that the guard refuses, and to no avail once messages are not permitted. */
function guardedConnector({ guard, timeoutMs, ca, permitted = () => true }: SenderOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guard.lookup, ...(ca !== undefined && { ca }) });
  return (options, callback) => {
    // A literal address is never looked up, so that the guard is asked here; a name is checked by its look-up.
    if (!guard.mayName(options.hostname)) return callback(new EgressRefused(options.hostname), null);
    connect(options, (error, socket) => {
      if (error || permitted()) return callback(...([error, socket] as Parameters<typeof callback>));
      socket.destroy();
      callback(new NotPermitted(), null);
    });
  };
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** The first KiB of an answer as text; null when it is empty. Whatever it is longer, or takes longer, is cut off. */
async function snippetOf({ body }: Dispatcher.ResponseData): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cut = setTimeout(() => body.destroy(), READ_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < SNIPPET_BYTES) chunks.push(chunk.subarray(0, SNIPPET_BYTES - bytes));
      bytes += chunk.length;
      // Leaving the loop destroys the body, and with it the connection.
      if (bytes > READ_BYTES) break;
    }
  } catch {
    // It broke off; what came before is shown.
  } finally {
    clearTimeout(cut);
  }
  return bytes === 0 ? null : new TextDecoder().decode(Buffer.concat(chunks));
}
