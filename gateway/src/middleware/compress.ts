import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Route } from '../routes/route.js';
import type { Context, Middleware } from '../state.js';

/** Size in bytes up to which a response is not compressed. */
const THRESHOLD = 1_024;
const gzipped = promisify(gzip);

/**
 * Returns whether a response may be sent compressed, and tells caches that this depends on the request (RFC 9110,
 * 12.5.3).
 */
export function acceptsGzip(ctx: Context): boolean {
  ctx.vary('Accept-Encoding');
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}

const compressedBodies = new WeakMap<Route, Promise<Buffer>>();

function compressedOnce(route: Route, body: string): Promise<Buffer> {
  const known = compressedBodies.get(route) ?? gzipped(body);
  compressedBodies.set(route, known);
  return known;
}

/**
 * Compresses JSON responses of more than 1 KiB if the client accepts gzip. Responses with secrets are not compressed:
 * their length would leak the secret if they also contain text that an attacker controls (BREACH).
 */
export const compress: Middleware = async (ctx, next) => {
  await next();
  const { body } = ctx;
  if (typeof body !== 'string' || ctx.type !== 'application/json' || ctx.state.route?.secret) return;
  ctx.vary('Accept-Encoding');
  if (Buffer.byteLength(body) <= THRESHOLD || !acceptsGzip(ctx)) return;
  ctx.body = await (ctx.state.route?.constant ? compressedOnce(ctx.state.route, body) : gzipped(body));
  ctx.set('Content-Encoding', 'gzip');
};
