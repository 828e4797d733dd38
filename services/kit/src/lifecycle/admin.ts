import { createServer } from 'node:http';
import type { Registry } from '../telemetry/metrics.js';
import { closeHttp, listen } from '../network/listen.js';
import type { Log } from '../telemetry/log.js';

export interface AdminOptions {
  port: number;
  host: string;
  registry: Registry;
  log: Log;
  /** Checks of required dependencies, by name. */
  required: Record<string, () => boolean>;
  /** Checks of optional dependencies, by name. `/readyz` reports unavailable ones as `degraded`, with 200. */
  optional?: Record<string, () => boolean>;
  /** Further paths; each handler returns a status code and a body. */
  routes?: Record<string, (query: URLSearchParams) => Promise<{ status: number; body: string }>>;
}

/** Serves /healthz (the event loop runs), /readyz (200 or 503, names unavailable dependencies) and /metrics. */
export async function serveAdmin(options: AdminOptions): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request.url ?? '/', options)
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

async function respond(target: string, options: AdminOptions) {
  const { registry, routes } = options;
  const type = 'text/plain; charset=utf-8';
  // A request target such as `//` is not a URL and must not throw.
  if (!URL.canParse(target, 'http://admin')) return { status: 400, type, body: 'bad request\n' };
  const url = new URL(target, 'http://admin');
  if (url.pathname === '/healthz') return { status: 200, type, body: 'ok\n' };
  if (url.pathname === '/readyz') return { type, ...readiness(options) };
  if (url.pathname === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
  const route = Object.hasOwn(routes ?? {}, url.pathname) ? routes?.[url.pathname] : undefined;
  if (route) return { type, ...(await route(url.searchParams)) };
  return { status: 404, type, body: 'not found\n' };
}

function readiness({ required, optional = {} }: AdminOptions): { status: number; body: string } {
  const missing = unavailableIn(required);
  const lines = missing.length > 0 ? [`not ready: ${missing.join(', ')}`] : [];
  const missingOptional = unavailableIn(optional);
  if (missingOptional.length > 0) lines.push(`degraded: ${missingOptional.join(', ')}`);
  return { status: missing.length > 0 ? 503 : 200, body: `${lines.join('\n') || 'ready'}\n` };
}

const unavailableIn = (checks: Record<string, () => boolean>): string[] =>
  Object.keys(checks).filter((name) => !checks[name]!());
