import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '@tautan/kit';
import { sendIcon } from '@tautan/local-web';
import { apiHandler } from './api/handler.js';
import { pageHandler } from './pages/handler.js';
import type { Sandbox } from './sandbox.js';

interface Deps {
  sandbox: Sandbox;
  secretKey: string;
  baseUrl: string;
  log: Log;
}

/** Returns the request handler of the sandbox: API and pages. */
export function createHandler({ sandbox, secretKey, baseUrl, log }: Deps) {
  const onFailure = (err: unknown): void => log.error({ err }, 'a request failed');
  const api = apiHandler({ sandbox, secretKey, onFailure });
  const pages = pageHandler({ sandbox, baseUrl, onFailure });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '/' } = request;
    if (url.startsWith('/v1/')) return api(request, response);
    if (url === '/favicon.svg' || url === '/favicon.ico') return sendIcon(response);
    return pages(request, response);
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const began = performance.now();
    response.once('finish', () => logResponse(log, request, response, performance.now() - began));
    handle(request, response).catch((error: unknown) => {
      onFailure(error);
      response.destroy();
    });
  };
}

function logResponse(log: Log, request: IncomingMessage, { statusCode }: ServerResponse, ms: number): void {
  const [path = ''] = (request.url ?? '').split('?');
  // Checkout ids, invoice ids and portal secrets grant access, so they are not logged.
  const op = `${request.method} ${path.replace(/\b(cs_test|ps_test|in)_\w+/, '$1_…')}`;
  log.info({ op, code: statusCode, ms: Math.round(ms * 10) / 10 }, 'request');
}
