import { html, page, type Page } from '@tautan/local-web';
import type { OpenInvitation } from '../workspaces/workspaces.js';
import { row } from './fields.js';
import { invitationList } from './invitations.js';

/** Page at the root of the provider for signed-out users. */
export const landingPage = (urls: { signIn: string; signUp: string; device: string }): Page =>
  page({
    title: 'Your account',
    lead: 'Sign in to Tautan on this machine.',
    content: html`<a class="button" href="${urls.signIn}">Sign in</a>
      <a class="button quiet" href="${urls.signUp}">Create an account</a>`,
    foot: html`Does your terminal show a code? <a href="${urls.device}">Enter it</a>`,
  });

/** Page at the root of the provider for signed-in users. */
export const accountPage = (
  { name, email }: { name: string; email: string },
  urls: { signIn: string | undefined; signOut: string; device: string },
  invitations: readonly OpenInvitation[],
): Page =>
  page({
    title: 'Your account',
    lead: 'You are signed in.',
    content: html`<dl>${row('Name', name)} ${row('Email', email)}</dl>
      ${urls.signIn !== undefined && html`<a class="button" href="${urls.signIn}">Go to Tautan</a>`}
      <a class="button quiet" href="${urls.signOut}">Sign out</a>
      ${invitations.length > 0 && invitationList(invitations)}`,
    foot: html`Does your terminal show a code? <a href="${urls.device}">Enter it</a>`,
  });
