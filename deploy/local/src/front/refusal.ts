import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId, type ErrorCode } from '@tautan/kit';
import type { Destination } from './route.js';

interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  headers: Record<string, string>;
}

/** The upstream is unavailable. */
export const unavailable: Refusal = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is temporarily unavailable. Try again in a moment.',
  headers: { 'Retry-After': '1' },
};

/**
 * The upstream did not respond in time to an API request with this method. Unless the method only reads, the message
 * warns that the change may have been applied.
 */
export const timedOut = (method = ''): Refusal => ({
  status: 504,
  code: 'TIMEOUT',
  message: /^(?:GET|HEAD)$/.test(method)
    ? 'The request timed out. Try again.'
    : 'The request timed out. The change may still have been applied.',
  headers: {},
});

/** The request cannot be forwarded. */
export const malformed: Refusal = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'The request is not valid HTTP.',
  headers: { Connection: 'close' },
};

/** Responds with an error of the front: in the API's envelope under /api, otherwise as text. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  { status, code, message, headers }: Refusal,
): void {
  const isApi = destination === 'api';
  const requestId = requestIdOf(request);
  const body = isApi ? envelope({ code, message }, requestId) : `${message}\n`;
  response.writeHead(status, {
    ...headers,
    ...(isApi && { 'X-Request-Id': requestId }),
    'Content-Type': isApi ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const envelope = (error: { code: ErrorCode; message: string }, requestId: string): string =>
  JSON.stringify({ data: null, error, meta: { requestId, timestamp: new Date().toISOString() } });

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId('req');
}
