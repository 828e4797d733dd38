import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { identityProvider, type IdentityProvider } from './provider.js';

/** A request received by the service. */
export interface Seen {
  method: string;
  /** Path relative to /api/v1. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** A response: data or an error in the standard envelope, or whatever `raw` writes. */
export interface Answer {
  status?: number;
  data?: unknown;
  page?: object;
  error?: { code: string; message: string; field?: string };
  headers?: Record<string, string>;
  raw?: (response: ServerResponse) => void;
}

export type Handler = (request: Seen) => Answer;

/** An HTTP service that implements the API's envelope, with an identity provider at /identity. */
export interface TestService {
  url: string;
  provider: IdentityProvider;
  /** API requests, oldest first. */
  seen: Seen[];
  /** Sets the handler of a route such as `GET /links` or `GET /links/*`. */
  on(route: string, handler: Handler): void;
  /** Queues responses to the next requests of a route, used before its handler. */
  first(route: string, ...answers: Answer[]): void;
  stop(): Promise<void>;
}

export const API_KEY = 'tau_live_0123456789abcdefghijklmnopqrstuv';

/** The public route. */
const PUBLIC = 'GET /billing/plans';

export const SESSION = {
  user: { id: 'usr_01jd3x8q4v5w6y7z8a9b0c1d2e', email: 'mira@example.com', name: 'Mira' },
  workspace: { id: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e', name: 'Acme', role: 'admin', plan: 'PRO' },
  credential: { type: 'token' },
};

const KEY_SESSION = { ...SESSION, user: null, credential: { type: 'api_key', label: 'CI' } };

/** Starts the service on a free port. Requests without a valid credential are rejected like in the API. */
export async function startService(): Promise<TestService> {
  const routes = new Map<string, Handler>();
  const queued = new Map<string, Answer[]>();
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = identityProvider(`${url}/identity`);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url!, url);
    const sent = await text(request);
    if (pathname.startsWith('/identity/')) return provider.handle(pathname.slice('/identity'.length), sent, response);
    const path = pathname.replace(/^\/api\/v1/, '');
    const body: unknown = sent === '' ? undefined : JSON.parse(sent);
    const one = { method: request.method!, path, query, headers: request.headers, body };
    seen.push(one);
    write(response, queued.get(`${one.method} ${path}`)?.shift() ?? respond(one));
  }

  function respond(one: Seen): Answer {
    if (one.path === '/auth/configuration') return { data: provider.configuration };
    const exact = `${one.method} ${one.path}`;
    const refused = exact === PUBLIC ? undefined : refusal(one.headers.authorization, provider);
    if (refused) return refused;
    const handler = routes.get(exact) ?? routes.get(exact.replace(/\/[^/]+$/, '/*'));
    return handler?.(one) ?? { status: 404, error: { code: 'NOT_FOUND', message: 'There is no such resource.' } };
  }

  routes.set('GET /auth/session', ({ headers }) => ({
    data: headers.authorization === `Bearer ${API_KEY}` ? KEY_SESSION : SESSION,
  }));
  return {
    url,
    provider,
    seen,
    on: (route, handler) => void routes.set(route, handler),
    first: (route, ...answers) => void queued.set(route, answers),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refusal(authorization: string | undefined, provider: IdentityProvider): Answer | undefined {
  if (authorization === `Bearer ${API_KEY}`) return undefined;
  const state = provider.accessToken(authorization?.replace(/^Bearer /, '') ?? '');
  if (state === 'good') return undefined;
  const code = state === 'expired' ? 'TOKEN_EXPIRED' : 'UNAUTHENTICATED';
  return {
    status: 401,
    error: { code, message: state === 'expired' ? 'The token has expired.' : 'The credential is invalid.' },
  };
}

function write(
  response: ServerResponse,
  { status = 200, data = null, page, error = undefined, headers, raw }: Answer,
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
