import { checkHeader } from './check-header.js';
import { readError } from './envelope.js';
import { TautanError } from './error.js';
import { isRetryableError, isTransient, pauseAfter, policyAfter, sleep, type RetryPolicy } from './retry.js';

/**
 * Returns the credential: an API key or an access token. If the API rejects a token as expired, the function is called
 * again with that token as `refused`. If it returns another token, the request is repeated.
 */
export type CredentialSource = (refused?: string) => Promise<string | undefined> | string | undefined;

type Fetch = typeof globalThis.fetch;

/** Timeout, cancellation and body handling of the attempts of a call. */
export interface AttemptOptions {
  /** Maximum time in ms of one attempt, including reading the response body. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** Whether to leave the body of a successful response unread. Otherwise, reading it is part of the attempt. */
  unread: boolean;
}

export interface Transport {
  fetch: Fetch;
  credential: CredentialSource;
  retry: RetryPolicy;
}

/**
 * Sends a request, with retries where they are safe. Returns a successful response. Throws `TautanError`, the abort
 * reason if the caller's signal is aborted, or the error of the credential function.
 */
export async function send(transport: Transport, request: Request, options: AttemptOptions): Promise<Response> {
  const token = await transport.credential();
  const history = { mayBeApplied: false };
  try {
    return await sendWithRetries(transport, request, options, { token, history });
  } catch (error) {
    if (!(error instanceof TautanError) || error.code !== 'TOKEN_EXPIRED' || token === undefined) throw error;
    const renewed = await transport.credential(token);
    if (renewed === undefined || renewed === token) throw error;
    return sendWithRetries(transport, request, options, { token: renewed, history });
  }
}

interface Attempts {
  token: string | undefined;
  /** Whether an earlier attempt, with this token or the one before, may have been applied. */
  history: { mayBeApplied: boolean };
}

async function sendWithRetries(
  { fetch, retry }: Transport,
  request: Request,
  options: AttemptOptions,
  { token, history }: Attempts,
): Promise<Response> {
  const { maxAttempts } = isRepeatable(request) ? retry : { maxAttempts: 1 };
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(fetch, authorized(request, token), options);
    if (outcome instanceof Response) return outcome;
    // An earlier attempt that failed may still have deleted the resource. A later attempt then gets 404.
    if (request.method === 'DELETE' && history.mayBeApplied && outcome.status === 404) return deleted(request.url);
    history.mayBeApplied ||= outcome.status === undefined || outcome.status >= 500;
    const policy = policyAfter(outcome.code, { ...retry, maxAttempts });
    const pause = canRetry(outcome, attempt)
      ? pauseAfter(policy, attempt, outcome.response?.headers.get('retry-after') ?? null)
      : undefined;
    if (pause === undefined) throw outcome;
    await sleep(pause, options.signal);
  }
}

function canRetry({ code, status, cause }: TautanError, attempt: number): boolean {
  if (status !== undefined) return isTransient(status, code, attempt);
  return code === 'CONNECTION_FAILED' && isRetryableError(cause);
}

/** Returns whether a request has an idempotent method (RFC 9110, 9.2.2) or an idempotency key. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  ['GET', 'HEAD', 'DELETE'].includes(method) || headers.has('idempotency-key');

function authorized(request: Request, token: string | undefined): Request {
  const copy = request.clone();
  if (token === undefined) return copy;
  checkHeader('credential', token);
  copy.headers.set('authorization', `Bearer ${token}`);
  return copy;
}

/**
 * Makes one attempt. Returns a successful response or the error. Throws the abort reason if the caller's signal is
 * aborted.
 */
async function sendOnce(fetch: Fetch, request: Request, options: AttemptOptions): Promise<Response | TautanError> {
  const { signal, disarm, detach } = deadline(options);
  let isUnread = false;
  try {
    const response = await fetch(request, { signal });
    if (!response.ok) return await readError(response);
    isUnread = options.unread;
    if (isUnread) return options.signal ? withBodyEnd(response, detach) : response;
    await response.clone().arrayBuffer();
    return response;
  } catch (error) {
    return connectionError(error, options.signal);
  } finally {
    disarm();
    if (!isUnread) detach();
  }
}

/** Returns a response whose body calls `onEnd` when it has been read, has failed or is canceled. */
function withBodyEnd(response: Response, onEnd: () => void): Response {
  if (!response.body) {
    onEnd();
    return response;
  }
  const observed = new Response(observedStream(response.body.getReader(), onEnd), response);
  return Object.defineProperty(observed, 'url', { value: response.url });
}

function observedStream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          onEnd();
          controller.close();
        } catch (error) {
          onEnd();
          throw error;
        }
      },
      cancel: (reason) => {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

interface Deadline {
  signal: AbortSignal;
  /** Ends the timeout. */
  disarm: () => void;
  /** Removes the listener from the caller's signal, which can outlive any number of attempts. */
  detach: () => void;
}

/**
 * Returns a signal that is aborted when the caller's signal is aborted, or after `timeoutMs`. `detach` ends
 * the effect of the caller's signal, and `disarm` that of the timeout. `AbortSignal.any` is not used, because in
 * Node.js 20 the signal that it returns can be garbage-collected before it is aborted.
 */
function deadline({ signal, timeoutMs }: AttemptOptions): Deadline {
  const controller = new AbortController();
  const follow = (source: AbortSignal): (() => void) => {
    const abort = (): void => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  };
  const disarm = follow(AbortSignal.timeout(timeoutMs));
  return { signal: controller.signal, disarm, detach: signal ? follow(signal) : () => undefined };
}

/**
 * Returns the error of a request without a complete response. Throws the abort reason if the caller's signal is
 * aborted.
 */
function connectionError(error: unknown, signal: AbortSignal | undefined): TautanError {
  signal?.throwIfAborted();
  const { name, message } = error as Error;
  if (name === 'TimeoutError')
    return new TautanError('REQUEST_TIMED_OUT', 'The request timed out. A change may still have been applied.', {
      cause: error,
    });
  return new TautanError('CONNECTION_FAILED', `The request failed: ${message.replace(/[.!?]+$/, '')}.`, {
    cause: error,
  });
}

const deleted = (url: string): Response =>
  Response.json({
    data: { id: decodeURIComponent(new URL(url).pathname.split('/').at(-1)!), deleted: true },
    error: null,
  });
