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

/** Serves the page of an invitation link, with a form that accepts it. `person` is the signed-in user. */
export async function showInvitation(
  { links, loginUri }: Deps,
  { person, token, isAccepted }: { person: Person | undefined; token: string; isAccepted: boolean },
): Promise<Page> {
  const invitation = links.find(token);
  if (!invitation) return endedInvitationPage();
  if (!person) return invitedPage(invitation, new URLSearchParams({ invitation: token }).toString());
  if (person.email !== invitation.member.email) return otherAccountPage(invitation, person);
  return isAccepted ? joinedPage(await links.accept(person, token), loginUri) : acceptPage(invitation, token);
}

/** Creates the link of an invitation and shows it to the inviter. Throws not_found and forbidden. */
export async function createInvitationLink(
  { links, issuer }: Deps,
  { person, memberId }: { person: Person | undefined; memberId: string },
): Promise<Page> {
  if (!person) return failurePage(401, 'You are not signed in', 'Sign in, then create the link on your account page.');
  const { token, invitation } = await links.create(person, memberId);
  return invitationLinkPage(invitation, issuer + invitationPath(token));
}
