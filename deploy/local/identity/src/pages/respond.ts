import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Page, pageHeaders } from '@tautan/local-web';

/**
 * Responds with one of our pages to a request that oidc-provider handles. `formTargets` are the origins that the page's
 * forms may redirect to.
 */
export function respond(ctx: KoaContextWithOIDC, { status, body }: Page, formTargets: readonly string[] = []): void {
  ctx.status = status;
  ctx.set(pageHeaders(formTargets));
  ctx.body = body;
}

/** Returns the CSRF token of oidc-provider's forms. */
export function xsrfOf(ctx: KoaContextWithOIDC): string {
  return (ctx.oidc.session as unknown as { state: { secret: string } }).state.secret;
}
