import type { Middleware } from '../state.js';

const METHODS = 'GET, HEAD, POST, PATCH, DELETE';
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-Workspace-Id';
const EXPOSED = [
  'X-Request-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Content-Disposition',
  'ETag',
  'WWW-Authenticate',
].join(', ');
const PREFLIGHT_AGE_S = '600';

/** Allows the listed origins to call the API (Fetch standard, CORS protocol). Without origins, it does nothing. */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    if (allowed.size === 0) return next();
    ctx.vary('Origin');
    const origin = ctx.get('origin');
    if (!allowed.has(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', EXPOSED);
    if (ctx.method !== 'OPTIONS' || !ctx.get('access-control-request-method')) return next();
    ctx.set('Access-Control-Allow-Methods', METHODS);
    ctx.set('Access-Control-Allow-Headers', REQUEST_HEADERS);
    ctx.set('Access-Control-Max-Age', PREFLIGHT_AGE_S);
    ctx.status = 204;
  };
}
