import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@tautan/kit';
import type { Destination } from './route.js';

const unavailable = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: 'The service is temporarily unavailable. Try again in a moment.',
};
const late = {
  status: 504,
  code: 'TIMEOUT',
  message: 'The request timed out. The change may still have been applied.',
};

/**
 * Responds in place of a neighbour that is unavailable (503), or that did not respond to an API request in time (504): in
 * the API's envelope under /api, else as text.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { destination, timedOut }: { destination: Destination; timedOut: boolean },
): void {
  const refusal = destination === 'api' && timedOut ? late : unavailable;
  const body = destination === 'api' ? envelope(request, response, refusal) : `${refusal.message}\n`;
  response.setHeader(
    'Content-Type',
    destination === 'api' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
  );
  response.setHeader('Cache-Control', 'no-store');
  if (refusal === unavailable) response.setHeader('Retry-After', '1');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.statusCode = refusal.status;
  response.end(request.method === 'HEAD' ? undefined : body);
}

function envelope(
  request: IncomingMessage,
  response: ServerResponse,
  { code, message }: { code: string; message: string },
): string {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  return JSON.stringify({
    data: null,
    error: { code, message },
    meta: { requestId, timestamp: new Date().toISOString() },
  });
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId('req');
}
