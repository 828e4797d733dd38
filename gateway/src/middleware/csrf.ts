import { fail } from '@tautan/kit';
import { cookieIn, SESSION_COOKIE } from '../cookies.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws FORBIDDEN for cross-site requests (cross-site request forgery). A request with the session cookie must have a
 * same-origin `Origin` header or, without one, a `Sec-Fetch-Site` of `same-origin`. Other requests are refused only if one
 * of these headers names another site.
 */
export function assertNotCrossSite(ctx: Context, site: Site): void {
  if (safe.has(ctx.method)) return;
  const origin = ctx.get('origin');
  const fetchSite = ctx.get('sec-fetch-site');
  const isOwn = origin
    ? site.isOwnOrigin(origin, ctx.get('host'))
    : fetchSite
      ? fetchSite === 'same-origin'
      : cookieIn(ctx.req.headers.cookie, SESSION_COOKIE) === undefined;
  if (!isOwn) throw fail('FORBIDDEN', 'Requests with a session cookie must come from a page of this service.');
}

export const csrf =
  (site: Site): Middleware =>
  (ctx, next) => {
    assertNotCrossSite(ctx, site);
    return next();
  };
