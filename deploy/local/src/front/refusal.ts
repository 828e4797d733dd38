import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@tautan/kit';
import type { Destination } from './route.js';

const message = 'A part of the service is away; try again in a moment.';

/** Answers 503 for a neighbour that is away: in the API's envelope under /api, else as text. */
export function refuse(request: IncomingMessage, response: ServerResponse, destination: Destination): void {
  const body = destination === 'api' ? envelope(request, response) : `${message}\n`;
  response.setHeader(
    'Content-Type',
    destination === 'api' ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
  );
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Retry-After', '1');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.statusCode = 503;
  response.end(request.method === 'HEAD' ? undefined : body);
}

function envelope(request: IncomingMessage, response: ServerResponse): string {
  const requestId = requestIdOf(request);
  response.setHeader('X-Request-Id', requestId);
  return JSON.stringify({
    data: null,
    error: { code: 'SERVICE_UNAVAILABLE', message },
    meta: { requestId, timestamp: new Date().toISOString() },
  });
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId('req');
}
