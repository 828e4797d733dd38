import type { KoaContextWithOIDC } from 'oidc-provider';
import { html, page, type Page } from '@tautan/local-web';
import { respond, xsrfOf } from './respond.js';

export const welcomePage = (name: string): Page =>
  page({
    sign: 'done',
    title: `Welcome, ${name}`,
    lead: 'You are signed in. Your account is ready, and so is a workspace of your own.',
    content: html`<a class="button" href="/">Your account</a>`,
  });

export const passwordSavedPage = (signIn: string): Page =>
  page({
    sign: 'done',
    title: 'Your password is saved',
    lead: 'From now on you sign in with the new one.',
    content: html`<a class="button" href="${signIn}">Sign in</a>`,
  });

/** An error that no form can show. */
export const failurePage = (status: number, title: string, lead: string): Page =>
  page({ status, title, lead, sign: 'refused' });

export const expiredPage = (): Page =>
  failurePage(
    400,
    'This page has expired',
    'It was open for too long, or was begun in another browser. Go back to where you came from and sign in again.',
  );

const sentences: Record<string, string> = {
  invalid_client: 'The application that sent you here is not known to this provider.',
  invalid_redirect_uri: 'The application wants you to be sent to an address that it is not registered with.',
  invalid_request: 'The application that sent you here asked for something that cannot be understood.',
  access_denied: 'You, or the application, ended the sign-in.',
  server_error: 'That was our fault. Try again in a moment.',
};

/** What oidc-provider cannot tell the application, because it does not know where that is. */
export function showError(
  ctx: KoaContextWithOIDC,
  { error, error_description: detail }: { error: string; error_description?: string | undefined },
): void {
  if (/session|expired/.test(`${detail}`)) return respond(ctx, expiredPage());
  const lead = sentences[error] ?? 'The sign-in could not go on.';
  const content = html`<p class="note">${error}${detail === undefined ? '' : `: ${detail}`}</p>`;
  respond(ctx, page({ status: ctx.status, title: 'This did not work', lead, content, sign: 'refused' }));
}

export function askLogout(ctx: KoaContextWithOIDC): void {
  const content = html`<form method="post" action="${ctx.oidc.urlFor('end_session_confirm')}">
    <input type="hidden" name="xsrf" value="${xsrfOf(ctx)}" />
    <button name="logout" value="yes">Sign out</button>
    <button class="quiet">Stay signed in</button>
  </form>`;
  const targets = (ctx.oidc.client?.postLogoutRedirectUris ?? []).map((uri) => new URL(uri).origin);
  respond(ctx, page({ title: 'Sign out?', lead: 'This browser then forgets who you are.', content }), targets);
}

export const showLoggedOut = (ctx: KoaContextWithOIDC): void =>
  respond(ctx, page({ sign: 'done', title: 'You are signed out', lead: 'You can close this page.' }));
