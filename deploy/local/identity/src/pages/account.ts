import { html, page, type Page } from '@tautan/local-web';
import type { OpenInvitation } from '../workspaces/workspaces.js';
import { row } from './fields.js';
import { invitationList } from './invitations.js';

/** Where people begin who open the provider's own address. */
export const landingPage = (places: { signIn: string; signUp: string; device: string }): Page =>
  page({
    title: 'Your account',
    lead: 'Everyone who works with Tautan on this machine signs in here.',
    content: html`<a class="button" href="${places.signIn}">Sign in</a>
      <a class="button quiet" href="${places.signUp}">Create an account</a>`,
    foot: html`A terminal shows you a code? <a href="${places.device}">Enter it</a>`,
  });

/** Where people who are signed in begin. */
export const accountPage = (
  { name, email }: { name: string; email: string },
  places: { signIn: string | undefined; signOut: string; device: string },
  invitations: readonly OpenInvitation[],
): Page =>
  page({
    title: 'Your account',
    lead: 'You are signed in.',
    content: html`<dl>${row('Name', name)} ${row('Email', email)}</dl>
      ${places.signIn !== undefined && html`<a class="button" href="${places.signIn}">Go to Tautan</a>`}
      <a class="button quiet" href="${places.signOut}">Sign out</a>
      ${invitations.length > 0 && invitationList(invitations)}`,
    foot: html`A terminal shows you a code? <a href="${places.device}">Enter it</a>`,
  });
