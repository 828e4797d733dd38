import type { KoaContextWithOIDC } from 'oidc-provider';
import { html, page, type Page } from '@tautan/local-web';
import { respond, xsrfOf } from './respond.js';

export const welcomePage = (name: string): Page =>
  page({
    symbol: 'done',
    title: `Welcome, ${name}`,
    lead: 'You are signed in. Your account and your workspace are ready.',
    content: html`<a class="button" href="/">Your account</a>`,
  });

export const passwordSavedPage = (signIn: string): Page =>
  page({
    symbol: 'done',
    title: 'Your password is saved',
    lead: 'Use the new password to sign in.',
    content: html`<a class="button" href="${signIn}">Sign in</a>`,
  });

/** Returns an error page. */
export const failurePage = (status: number, title: string, lead: string): Page =>
  page({ status, title, lead, symbol: 'refused' });

export const expiredPage = (): Page =>
  failurePage(
    400,
    'This page has expired',
    'It was open for too long, or the sign-in was started in another browser. Go back to the application and sign in again.',
  );

const sentences: Record<string, string> = {
  invalid_client: 'The application is not registered with this provider.',
  invalid_redirect_uri: 'The application uses a redirect URL that is not registered.',
  invalid_request: 'The application sent an invalid request.',
  access_denied: 'The sign-in was canceled.',
  server_error: 'An internal error occurred. Try again in a moment.',
};

/** Shows errors of oidc-provider that cannot be returned to the application. */
export function showError(
  ctx: KoaContextWithOIDC,
  { error, error_description: detail }: { error: string; error_description?: string | undefined },
): void {
  if (/session|expired/.test(`${detail}`)) return respond(ctx, expiredPage());
  const lead = sentences[error] ?? 'The sign-in failed.';
  const content = html`<p class="note">${error}${detail === undefined ? '' : `: ${detail}`}</p>`;
  respond(ctx, page({ status: ctx.status, title: 'Something went wrong', lead, content, symbol: 'refused' }));
}

export function askLogout(ctx: KoaContextWithOIDC): void {
  const content = html`<form method="post" action="${ctx.oidc.urlFor('end_session_confirm')}">
    <input type="hidden" name="xsrf" value="${xsrfOf(ctx)}" />
    <button name="logout" value="yes">Sign out</button>
    <button class="quiet">Stay signed in</button>
  </form>`;
  const targets = (ctx.oidc.client?.postLogoutRedirectUris ?? []).map((uri) => new URL(uri).origin);
  respond(ctx, page({ title: 'Sign out?', lead: 'You will be signed out in this browser.', content }), targets);
}

export const showLoggedOut = (ctx: KoaContextWithOIDC): void =>
  respond(ctx, page({ symbol: 'done', title: 'You are signed out', lead: 'You can close this page.' }));
