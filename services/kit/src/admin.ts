import { createServer } from 'node:http';
import type { Registry } from './metrics.js';
import { closeHttp, listen } from './listen.js';
import type { Log } from './log.js';

export interface AdminOptions {
  port: number;
  host: string;
  registry: Registry;
  log: Log;
  /** What must hold for traffic to come here, by name. */
  ready: Record<string, () => boolean>;
  /** Further paths: answer a status code and a body for a query. */
  routes?: Record<string, (query: URLSearchParams) => Promise<{ status: number; body: string }>>;
}

/** Serves /healthz (the process turns), /readyz (200 or 503, naming what is missing) and /metrics. */
export async function serveAdmin(options: AdminOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', options)
      .catch((error: unknown) => {
        options.log.error({ err: error }, 'admin request failed');
        return { status: 500, type: 'text/plain', body: 'internal error\n' };
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
      .catch(() => response.destroy());
  });
  const port = await listen(server, options.port, options.host);
  return { port, stop: () => closeHttp(server, 500) };
}

async function answer(target: string, { registry, ready, routes }: AdminOptions) {
  const type = 'text/plain; charset=utf-8';
  // A target such as `//` is no URL: that must be an answer, not an exception.
  if (!URL.canParse(target, 'http://admin')) return { status: 400, type, body: 'bad request\n' };
  const url = new URL(target, 'http://admin');
  if (url.pathname === '/healthz') return { status: 200, type, body: 'ok\n' };
  if (url.pathname === '/readyz') {
    const missing = Object.keys(ready).filter((name) => !ready[name]!());
    return missing.length
      ? { status: 503, type, body: `not ready: ${missing.join(', ')}\n` }
      : { status: 200, type, body: 'ready\n' };
  }
  if (url.pathname === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
  const route = Object.hasOwn(routes ?? {}, url.pathname) ? routes?.[url.pathname] : undefined;
  if (route) return { type, ...(await route(url.searchParams)) };
  return { status: 404, type, body: 'not found\n' };
}
