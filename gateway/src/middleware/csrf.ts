import { fail } from '@tautan/kit';
import { cookieIn, SESSION_COOKIE } from '../cookies.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws FORBIDDEN for a change that a page of another origin may have sent (cross-site request forgery). A request
 * with the session cookie must have an `Origin` of this service or, without `Origin`, a `Sec-Fetch-Site` of
 * `same-origin`. Without that cookie, a request may also have neither header.
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
  if (!isOwn) throw fail('FORBIDDEN', 'The request must come from a page of this service.');
}

/** Refuses cross-site requests, see `assertNotCrossSite`. */
export const csrf =
  (site: Site): Middleware =>
  (ctx, next) => {
    assertNotCrossSite(ctx, site);
    return next();
  };
