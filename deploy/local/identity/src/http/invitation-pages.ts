import type { Page } from '@tautan/local-web';
import { failurePage } from '../pages/messages.js';
import {
  acceptPage,
  endedInvitationPage,
  invitationLinkPage,
  invitedPage,
  joinedPage,
  otherAccountPage,
} from '../pages/invitations.js';
import type { Person } from '../people/person.js';
import type { InvitationLinks } from '../workspaces/invitation-links.js';

interface Deps {
  issuer: string;
  links: InvitationLinks;
  loginUri: string | undefined;
}

/** Returns the path of the page that accepts an invitation. */
export const invitationPath = (token: string): string => `/invitation?token=${encodeURIComponent(token)}`;

/**
 * Serves the page of an invitation link. Its form accepts the invitation: `isSubmitted` tells whether the form was
 * sent. `person` is the signed-in user.
 */
export async function showInvitation(
  { links, loginUri }: Deps,
  { person, token, isSubmitted }: { person: Person | undefined; token: string; isSubmitted: boolean },
): Promise<Page> {
  const invitation = links.find(token);
  if (!invitation) return endedInvitationPage();
  if (!person) return invitedPage(invitation, new URLSearchParams({ invitation: token }).toString());
  if (person.email !== invitation.member.email) return otherAccountPage(invitation, person);
  return isSubmitted ? joinedPage(await links.accept(person, token), loginUri) : acceptPage(invitation, token);
}

/**
 * Creates the link of an invitation and shows it to the owner or admin who asked for it. Throws not_found or forbidden.
 */
export async function createInvitationLink(
  { links, issuer }: Deps,
  { person, memberId }: { person: Person | undefined; memberId: string },
): Promise<Page> {
  if (!person) return failurePage(401, 'You are not signed in', 'Sign in, then create the link on your account page.');
  const { token, invitation } = await links.create(person, memberId);
  return invitationLinkPage(invitation, issuer + invitationPath(token));
}
