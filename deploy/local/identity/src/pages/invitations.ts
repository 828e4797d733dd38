import { html, page, type Html, type Page } from '@tautan/local-web';
import type { Person } from '../people/person.js';
import type { OpenInvitation } from '../workspaces/workspaces.js';
import { failurePage } from './messages.js';

/** Lists the open invitations of the workspaces that a user manages, each with a button that creates its link. */
export const invitationList = (invitations: readonly OpenInvitation[]): Html =>
  html`<h2>Open invitations</h2>
    ${invitations.map(
      ({ workspace, member }) =>
        html`<dl>
            <div>
              <dt>Invited</dt>
              <dd>${member.email}<small>to ${workspace.name}, as ${member.role}</small></dd>
            </div>
          </dl>
          <form method="post" action="/invitation-links">
            <input type="hidden" name="member" value="${member.id}" />
            <button class="quiet" aria-label="Create a link for ${member.email}">Create a link</button>
          </form>`,
    )}`;

/** Shows the link of an invitation, once. */
export const invitationLinkPage = ({ workspace, member }: OpenInvitation, link: string): Page =>
  page({
    title: 'Invitation link',
    lead: html`Send this link to <b>${member.email}</b>. They can use it to join <b>${workspace.name}</b>.`,
    content: html`<div class="field alone">
      <label for="link">Link</label>
      <input id="link" type="text" value="${link}" readonly autofocus aria-describedby="link-hint" />
      <p class="hint" id="link-hint">It works once and expires after seven days. A new link replaces it.</p>
    </div>`,
    foot: html`<a href="/">Back to your account</a>`,
  });

export const endedInvitationPage = (): Page =>
  failurePage(
    400,
    'This invitation is no longer valid',
    'It was accepted or withdrawn, or its link was replaced or has expired. Ask for a new link.',
  );

/** Asks a signed-out user to sign in. */
export const invitedPage = ({ workspace, member }: OpenInvitation, query: string): Page =>
  page({
    title: `Join ${workspace.name}`,
    lead: html`<b>${member.email}</b> is invited as ${member.role}. Sign in with this address to accept.`,
    content: html`<a class="button" href="/sign-in?${query}">Sign in</a>
      <a class="button quiet" href="/sign-up?${query}">Create an account</a>`,
  });

/** Asks the invited user to accept. */
export const acceptPage = ({ workspace, member }: OpenInvitation, token: string): Page =>
  page({
    title: `Join ${workspace.name}`,
    lead: html`You have been invited as ${member.role}. You are signed in as <b>${member.email}</b>.`,
    content: html`<form method="post" action="/invitation">
      <input type="hidden" name="token" value="${token}" />
      <button>Join</button>
    </form>`,
  });

export const otherAccountPage = ({ member }: OpenInvitation, { email }: Person): Page =>
  page({
    status: 403,
    symbol: 'refused',
    title: 'This invitation is not for this account',
    lead: html`It is for <b>${member.email}</b>, and you are signed in as <b>${email}</b>. Sign out, then open the link
      again.`,
    content: html`<a class="button" href="/api/v1/oidc/end-session">Sign out</a>`,
  });

export const joinedPage = ({ workspace, member }: OpenInvitation, loginUri: string | undefined): Page =>
  page({
    symbol: 'done',
    title: `You have joined ${workspace.name}`,
    lead: `Your role is ${member.role}.`,
    content: loginUri === undefined ? undefined : html`<a class="button" href="${loginUri}">Go to Tautan</a>`,
  });
