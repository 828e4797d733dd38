import type { KoaContextWithOIDC } from 'oidc-provider';
import { type Page, pageHeaders } from '@tautan/local-web';

/** Answers a request that oidc-provider handles with one of our pages. */
export function respond(ctx: KoaContextWithOIDC, { status, body }: Page, formTargets: readonly string[] = []): void {
  ctx.status = status;
  ctx.set(pageHeaders(formTargets));
  ctx.body = body;
}

/** The session's secret that oidc-provider's forms carry, against forgery. */
export function xsrfOf(ctx: KoaContextWithOIDC): string {
  return (ctx.oidc.session as unknown as { state: { secret: string } }).state.secret;
}
