import { randomBytes } from 'node:crypto';
import type { Change, State } from '@tautan/append-log';
import { Refusal } from '@tautan/local-web';
import { hashOf } from '../oidc/storage-keys.js';
import type { Person } from '../people/person.js';
import type { Member, OpenInvitation, Workspace, Workspaces } from './workspaces.js';

const LINK_LIFETIME_MS = 7 * 86_400_000;

/** Record stored under the hash of a link's secret. */
interface StoredLink {
  memberId: string;
}

/**
 * Single-use links with which a user accepts an invitation even if their email address is not verified. A link is valid
 * for seven days. Its secret is shown once and stored as a hash.
 */
export class InvitationLinks {
  constructor(
    private readonly state: State,
    private readonly workspaces: Workspaces,
  ) {}

  /**
   * Creates a link for an invitation and invalidates earlier ones. Returns the secret of the link (`token`) and the
   * invitation. Throws not_found or forbidden.
   */
  async create(inviter: Person, memberId: string): Promise<{ token: string; invitation: OpenInvitation }> {
    const invitation = this.#openInvitation(memberId);
    if (!invitation) throw new Refusal(404, 'not_found', 'This invitation does not exist or has been accepted.');
    this.workspaces.assertManages(inviter, invitation.workspace.id);
    const token = randomBytes(32).toString('base64url');
    const link: StoredLink = { memberId };
    await this.state.write(...this.#deletionsFor(memberId), [
      'invitation',
      hashOf(token),
      link,
      Date.now() + LINK_LIFETIME_MS,
    ]);
    return { token, invitation };
  }

  /**
   * Returns the invitation of a link. Returns undefined if the link is unknown, used or expired, or if the invitation
   * was withdrawn.
   */
  find(token: string): OpenInvitation | undefined {
    const link = this.state.get<StoredLink>('invitation', hashOf(token));
    return link && this.#openInvitation(link.memberId);
  }

  /**
   * Accepts the invitation. Throws invalid_token (400), or forbidden if another email address was invited or the user
   * has the maximum number of workspaces.
   */
  async accept(person: Person, token: string): Promise<OpenInvitation> {
    const invitation = this.find(token);
    if (!invitation) throw new Refusal(400, 'invalid_token', 'This invitation is no longer valid. Ask for a new link.');
    const { member } = invitation;
    if (member.email !== person.email)
      throw new Refusal(403, 'forbidden', 'This invitation is for another email address.');
    this.workspaces.assertCanJoin(person);
    const joined: Member = { ...member, personId: person.id, joinedAt: new Date().toISOString() };
    await this.state.write(['member', member.id, joined], ...this.#deletionsFor(member.id));
    return invitation;
  }

  #openInvitation(memberId: string): OpenInvitation | undefined {
    const member = this.state.get<Member>('member', memberId);
    const workspace = member && this.state.get<Workspace>('workspace', member.workspaceId);
    return workspace && member.personId === null ? { workspace, member } : undefined;
  }

  /** Returns the changes that delete the links of an invitation. */
  #deletionsFor(memberId: string): Change[] {
    const links = [...this.state.all<StoredLink>('invitation')].filter(([, link]) => link.memberId === memberId);
    return links.map(([key]): Change => ['invitation', key]);
  }
}
