import type { IncomingMessage, ServerResponse } from 'node:http';
import { addressKeys, MemoryLimiter, resetSeconds } from '@tautan/kit';
import { bodyOf, sendJson, sendPage } from '@tautan/local-web';
import { DEVICE_CODE_GRANT, isPendingPoll } from '../oidc/device-polling.js';
import { failurePage } from '../pages/messages.js';
import { clientAddressOf } from './client-address.js';

/** An operation with a separate limit. */
interface LimitedOperation {
  methods: string[];
  path: RegExp;
  /**
   * `failures` if a request can succeed only with a valid credential: then only failed requests and requests in
   * progress need a limit.
   */
  counts: 'failures' | 'all';
  /** Format of the error response. */
  errorFormat: 'oauth' | 'page' | 'json';
}

const oidc = '/api/v1/oidc';

/** Every unauthenticated operation that checks credentials or stores data. */
const operations: LimitedOperation[] = [
  { methods: ['POST'], path: exactly(`${oidc}/token`), counts: 'failures', errorFormat: 'oauth' },
  { methods: ['POST'], path: exactly(`${oidc}/introspect`), counts: 'failures', errorFormat: 'oauth' },
  { methods: ['POST'], path: exactly(`${oidc}/revoke`), counts: 'failures', errorFormat: 'oauth' },
  { methods: ['POST'], path: exactly(`${oidc}/device/authorize`), counts: 'all', errorFormat: 'oauth' },
  {
    methods: ['GET', 'HEAD', 'POST'],
    path: exactly(`${oidc}/(?:device|authorize|end-session)`),
    counts: 'all',
    errorFormat: 'page',
  },
  { methods: ['POST'], path: exactly('/interaction/[\\w-]+|/sign-in'), counts: 'failures', errorFormat: 'page' },
  { methods: ['POST'], path: exactly('(?:/interaction/[\\w-]+)?/sign-up'), counts: 'all', errorFormat: 'page' },
  { methods: ['POST'], path: exactly('(?:/interaction/[\\w-]+)?/forgot-password'), counts: 'all', errorFormat: 'page' },
  { methods: ['GET', 'HEAD', 'POST'], path: exactly('/invitation'), counts: 'failures', errorFormat: 'page' },
  { methods: ['GET', 'HEAD'], path: exactly('/demo/[\\w-]+'), counts: 'failures', errorFormat: 'page' },
  { methods: ['GET', 'HEAD', 'POST'], path: exactly('/reset-password'), counts: 'failures', errorFormat: 'page' },
  { methods: ['POST'], path: exactly('/api/v1/people'), counts: 'all', errorFormat: 'json' },
  { methods: ['POST'], path: exactly('/api/v1/people/forgot-password'), counts: 'all', errorFormat: 'json' },
];

/** Maximum number of client addresses in memory, per operation. */
const MAX_ADDRESSES = 5_000;

/**
 * Limits requests per operation, minute and client address (/64 for IPv6). A poll by a device that the user has not yet
 * approved does not count as a failure.
 */
export class AddressLimits {
  readonly #limited: (LimitedOperation & { limiter: MemoryLimiter })[];

  constructor(requestsPerMinute: number) {
    const window = { points: requestsPerMinute, seconds: 60 };
    this.#limited = operations.map((operation) => ({
      ...operation,
      limiter: new MemoryLimiter(window, { maxKeys: MAX_ADDRESSES }),
    }));
  }

  /** Counts a request. If its address has exceeded the limit, responds with 429 and returns true. */
  async rejectIfExceeded(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const limited = this.#limited.find((one) => one.methods.includes(request.method ?? '') && one.path.test(path));
    if (!limited) return false;
    const { limiter, counts } = limited;
    const [key] = addressKeys(clientAddressOf(request));
    const state = limiter.consume(key);
    if (!state.allowed) {
      await sendTooManyRequests(request, response, { ...limited, seconds: resetSeconds(state) });
      return true;
    }
    // All requests count at their start, so that concurrent ones cannot exceed the limit. Requests that do not count as
    // failures are refunded.
    if (counts === 'failures')
      response.once('close', () => {
        const { statusCode, headersSent } = response;
        // The client disconnected before the response. Its attempt may still fail, so it is not refunded.
        if (!headersSent) return;
        if (statusCode < 400 || statusCode >= 500 || isPendingPoll(response)) limiter.refund(key);
      });
    return false;
  }
}

async function sendTooManyRequests(
  request: IncomingMessage,
  response: ServerResponse,
  { errorFormat, seconds }: LimitedOperation & { seconds: number },
): Promise<void> {
  const message = `Too many requests from this address. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  const retry = { 'Retry-After': seconds };
  if (errorFormat === 'page') {
    sendPage(response, { ...failurePage(429, 'Too many attempts', message), retryAfter: seconds });
  } else if (errorFormat === 'json') {
    sendJson(response, 429, { error: 'too_many_requests', message }, retry);
  } else {
    const error = (await isPoll(request)) ? 'slow_down' : 'temporarily_unavailable';
    sendJson(response, 429, { error, error_description: message }, retry);
  }
}

/**
 * Returns whether a request is a poll that a device sent. A device stops polling at any error except
 * authorization_pending and slow_down (RFC 8628 section 3.5).
 */
async function isPoll(request: IncomingMessage): Promise<boolean> {
  const body = await bodyOf(request).catch(() => '');
  return new URLSearchParams(body).get('grant_type') === DEVICE_CODE_GRANT;
}

function exactly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
