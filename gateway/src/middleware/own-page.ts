import { fail } from '@tautan/kit';
import { cookieIn, SESSION_COOKIE } from '../cookies.js';
import type { Site } from '../site.js';
import type { Context, Middleware } from '../state.js';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses with FORBIDDEN what a page of another site makes a browser send (cross-site request forgery). A request that
 * carries the session's cookie must prove where it comes from by `Origin`, or without one by `Sec-Fetch-Site`; any other
 * only must not say that it comes from elsewhere.
 */
export function assertOwnPage(ctx: Context, site: Site): void {
  if (safe.has(ctx.method)) return;
  const origin = ctx.get('origin');
  const fetchSite = ctx.get('sec-fetch-site');
  const isOwn = origin
    ? site.isOwnOrigin(origin, ctx.get('host'))
    : fetchSite
      ? fetchSite === 'same-origin'
      : cookieIn(ctx.req.headers.cookie, SESSION_COOKIE) === undefined;
  if (!isOwn) throw fail('FORBIDDEN', 'With a session, this must come from a page of this service itself.');
}

export const ownPage =
  (site: Site): Middleware =>
  (ctx, next) => {
    assertOwnPage(ctx, site);
    return next();
  };
