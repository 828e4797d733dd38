import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { identityProvider, type IdentityProvider } from './provider.js';

/** A request received by the service. */
export interface ReceivedRequest {
  method: string;
  /** Path relative to /api/v1. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** A response: data or an error in the standard envelope, or a raw response. */
export interface MockResponse {
  status?: number;
  data?: unknown;
  page?: object;
  error?: { code: string; message: string; field?: string };
  headers?: Record<string, string>;
  /** Writes the whole response. */
  raw?: (response: ServerResponse) => void;
}

export type Handler = (request: ReceivedRequest) => MockResponse;

/** An HTTP service that responds in the API's envelope, with an identity provider at /identity. */
export interface TestService {
  url: string;
  provider: IdentityProvider;
  /** Received API requests, oldest first. */
  requests: ReceivedRequest[];
  /** Sets the handler of a route such as `GET /links` or `GET /links/*`. */
  on(route: string, handler: Handler): void;
  /**
   * Queues responses for the next requests to an exact route (without `*`). Discards responses that are still queued
   * for the route. A request that receives a queued response is answered without checking its credential or calling the
   * route's handler.
   */
  queueResponses(route: string, ...responses: MockResponse[]): void;
  stop(): Promise<void>;
}

export const API_KEY = 'tau_live_0123456789abcdefghijklmnopqrstuv';

/**
 * The only route set with `on` that requires no credential. The built-in route GET /auth/configuration requires none
 * either.
 */
const PUBLIC_ROUTE = 'GET /billing/plans';

export const SESSION = {
  user: { id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e', email: 'mira@example.com', name: 'Mira' },
  workspace: { id: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e', name: 'Acme', role: 'admin', plan: 'PRO' },
  credential: { type: 'token' },
};

const KEY_SESSION = { ...SESSION, user: null, credential: { type: 'api_key', label: 'CI' } };

/** Starts the service on a free port. Like the API, it rejects requests without a valid credential. */
export async function startService(): Promise<TestService> {
  const routes = new Map<string, Handler>();
  const queued = new Map<string, MockResponse[]>();
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = identityProvider(`${url}/identity`);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url!, url);
    const bodyText = await text(request);
    if (pathname.startsWith('/identity/'))
      return provider.handle(pathname.slice('/identity'.length), bodyText, response);
    const path = pathname.replace(/^\/api\/v1/, '');
    const body: unknown = bodyText === '' ? undefined : JSON.parse(bodyText);
    const received = { method: request.method!, path, query, headers: request.headers, body };
    requests.push(received);
    write(response, queued.get(`${received.method} ${path}`)?.shift() ?? respond(received));
  }

  function respond(received: ReceivedRequest): MockResponse {
    if (received.path === '/auth/configuration') return { data: provider.configuration };
    const exact = `${received.method} ${received.path}`;
    const rejection = exact === PUBLIC_ROUTE ? undefined : rejectionOf(received.headers.authorization, provider);
    if (rejection) return rejection;
    const handler = routes.get(exact) ?? routes.get(exact.replace(/\/[^/]+$/, '/*'));
    return handler?.(received) ?? { status: 404, error: { code: 'NOT_FOUND', message: 'Resource not found.' } };
  }

  routes.set('GET /auth/session', ({ headers }) => ({
    data: headers.authorization === `Bearer ${API_KEY}` ? KEY_SESSION : SESSION,
  }));
  return {
    url,
    provider,
    requests,
    on: (route, handler) => void routes.set(route, handler),
    queueResponses: (route, ...responses) => void queued.set(route, responses),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function rejectionOf(authorization: string | undefined, provider: IdentityProvider): MockResponse | undefined {
  if (authorization === `Bearer ${API_KEY}`) return undefined;
  const state = provider.accessToken(authorization?.replace(/^Bearer /, '') ?? '');
  if (state === 'valid') return undefined;
  const code = state === 'expired' ? 'TOKEN_EXPIRED' : 'UNAUTHENTICATED';
  return {
    status: 401,
    error: { code, message: state === 'expired' ? 'The token has expired.' : 'The credential is invalid.' },
  };
}

function write(
  response: ServerResponse,
  { status = 200, data = null, page, error = undefined, headers, raw }: MockResponse,
): void {
  if (raw) return raw(response);
  const meta = {
    requestId: 'req_01jd3x8q4v5w6y7z8a9b0c1d2e',
    timestamp: new Date().toISOString(),
    ...(page && { page }),
  };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ data, error: error ?? null, meta }));
}
