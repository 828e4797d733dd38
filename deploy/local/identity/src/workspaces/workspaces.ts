import { isPrintable, newUlid } from '@tautan/kit';
import { emailOf, type Person } from '../people/person.js';
import { Refusal } from '@tautan/local-web';
import type { Change, State } from '@tautan/append-log';

export interface Workspace {
  id: string;
  name: string;
  createdAt: string;
}

const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

export interface Member {
  id: string;
  workspaceId: string;
  /** Null while the invitation is open. */
  personId: string | null;
  email: string;
  role: Role;
  /** Null while the invitation is open. */
  joinedAt: string | null;
  createdAt: string;
}

/** A workspace in API responses, with the role of the requesting user. */
export type OwnWorkspace = Workspace & { role: Role };

/** A member in API responses. */
export interface MemberView {
  id: string;
  userId: string | null;
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'invited';
  joinedAt: string | null;
}

/** An open invitation to a workspace. */
export interface OpenInvitation {
  workspace: Workspace;
  member: Member;
}

/**
 * Maximum number of workspaces of a user. Also the maximum number of members and open invitations of a workspace,
 * counted together.
 */
const MAX_MEMBERSHIPS = 1_000;
/** Maximum number of invitations on the account page. */
const MAX_INVITATIONS = 20;

/** Returns the changes that create a workspace with its owner. */
export function creationChanges(owner: Person, name: string, at: string): Change[] {
  const workspace: Workspace = { id: `workspace_${newUlid()}`, name, createdAt: at };
  const member = newMember(workspace.id, { email: owner.email, role: 'owner', personId: owner.id }, at);
  return [
    ['workspace', workspace.id, workspace],
    ['member', member.id, member],
  ];
}

function newMember(
  workspaceId: string,
  { email, role, personId }: { email: string; role: Role; personId: string | null },
  at: string,
): Member {
  const joinedAt = personId === null ? null : at;
  return { id: `member_${newUlid()}`, workspaceId, personId, email, role, joinedAt, createdAt: at };
}

/**
 * Workspaces and their members. Every method acts for a user. The methods throw not_found (404) for unknown records and
 * forbidden (403) for missing permissions.
 */
export class Workspaces {
  constructor(
    private readonly state: State,
    private readonly personWithId: (id: string) => Person | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the user's workspaces, oldest membership first. If the user's email address is verified, first accepts the
   * open invitations to it, oldest first, until the user has the maximum number of workspaces.
   */
  async list(person: Person): Promise<OwnWorkspace[]> {
    await this.#acceptInvitations(person);
    return this.#members(({ personId }) => personId === person.id)
      .sort((one, other) => one.joinedAt!.localeCompare(other.joinedAt!))
      .flatMap(({ workspaceId, role }) => {
        const workspace = this.state.get<Workspace>('workspace', workspaceId);
        return workspace ? [{ ...workspace, role }] : [];
      })
      .slice(0, MAX_MEMBERSHIPS);
  }

  async create(person: Person, input: { name?: unknown }): Promise<OwnWorkspace> {
    const name = workspaceNameOf(input.name);
    this.assertCanJoin(person);
    const changes = creationChanges(person, name, this.#timestamp());
    await this.state.write(...changes);
    return { ...(changes[0]![2] as Workspace), role: 'owner' };
  }

  async rename(person: Person, id: string, input: { name?: unknown }): Promise<OwnWorkspace> {
    const { workspace, role } = this.#managedBy(person, id);
    const renamed: Workspace = { ...workspace, name: workspaceNameOf(input.name) };
    await this.state.write(['workspace', id, renamed]);
    return { ...renamed, role };
  }

  members(person: Person, id: string): MemberView[] {
    this.#membershipOf(person, id);
    return this.#members(({ workspaceId }) => workspaceId === id)
      .slice(0, MAX_MEMBERSHIPS)
      .map((member) => this.#view(member));
  }

  /** Invites an email address. Throws already_member (409) if it belongs to a member or is already invited. */
  async invite(person: Person, id: string, input: { email?: unknown; role?: unknown }): Promise<MemberView> {
    this.#managedBy(person, id);
    const [email, role] = [emailOf(input.email), assignableRoleOf(input.role)];
    const present = this.#members(({ workspaceId }) => workspaceId === id);
    if (present.some((member) => member.email === email))
      throw new Refusal(409, 'already_member', `${email} is already a member or invited.`, 'email');
    if (present.length >= MAX_MEMBERSHIPS)
      throw new Refusal(
        403,
        'forbidden',
        `A workspace can have at most ${MAX_MEMBERSHIPS} members, including open invitations.`,
      );
    const member = newMember(id, { email, role, personId: null }, this.#timestamp());
    await this.state.write(['member', member.id, member]);
    return this.#view(member);
  }

  /** Returns the newest open invitations to workspaces that the user manages, 20 at most. */
  openInvitations(person: Person): OpenInvitation[] {
    const own = this.#members(({ personId, role }) => personId === person.id && (role === 'owner' || role === 'admin'));
    const managed = new Set(own.map(({ workspaceId }) => workspaceId));
    return this.#members(({ personId, workspaceId }) => personId === null && managed.has(workspaceId))
      .toReversed()
      .slice(0, MAX_INVITATIONS)
      .map((member) => ({ member, workspace: this.state.get<Workspace>('workspace', member.workspaceId)! }));
  }

  /** Throws forbidden if the user has the maximum number of workspaces. */
  assertCanJoin(person: Person): void {
    if (this.#remainingMembershipsOf(person) <= 0)
      throw new Refusal(403, 'forbidden', `A user can be a member of at most ${MAX_MEMBERSHIPS} workspaces.`);
  }

  assertManages(person: Person, id: string): void {
    this.#managedBy(person, id);
  }

  async changeRole(person: Person, id: string, memberId: string, input: { role?: unknown }): Promise<MemberView> {
    this.#managedBy(person, id);
    const member = this.#changeableMember(id, memberId);
    const changed: Member = { ...member, role: assignableRoleOf(input.role) };
    await this.state.write(['member', memberId, changed]);
    return this.#view(changed);
  }

  /** Removes a member or withdraws an invitation. Every member except the owner can remove themselves. */
  async remove(person: Person, id: string, memberId: string): Promise<{ id: string; deleted: true }> {
    const own = this.#membershipOf(person, id);
    if (own.memberId !== memberId) this.#managedBy(person, id);
    this.#changeableMember(id, memberId);
    await this.state.write(['member', memberId]);
    return { id: memberId, deleted: true };
  }

  async #acceptInvitations(person: Person): Promise<void> {
    if (person.unverified) return;
    const open = this.#members(({ personId, email }) => personId === null && email === person.email);
    const invitations = open.slice(0, Math.max(0, this.#remainingMembershipsOf(person)));
    if (invitations.length === 0) return;
    const joinedAt = this.#timestamp();
    await this.state.write(
      ...invitations.map((one) => ['member', one.id, { ...one, personId: person.id, joinedAt }] as const),
    );
  }

  /** Returns the number of workspaces that the user can still join. */
  #remainingMembershipsOf(person: Person): number {
    return MAX_MEMBERSHIPS - this.#members(({ personId }) => personId === person.id).length;
  }

  #membershipOf(person: Person, id: string): { workspace: Workspace; role: Role; memberId: string } {
    const workspace = this.state.get<Workspace>('workspace', id);
    if (!workspace) throw new Refusal(404, 'not_found', 'No workspace with this id.');
    const [own] = this.#members((one) => one.workspaceId === id && one.personId === person.id);
    if (!own) throw new Refusal(403, 'forbidden', 'You are not a member of this workspace.');
    return { workspace, role: own.role, memberId: own.id };
  }

  #managedBy(person: Person, id: string): { workspace: Workspace; role: Role } {
    const own = this.#membershipOf(person, id);
    if (own.role !== 'owner' && own.role !== 'admin')
      throw new Refusal(403, 'forbidden', 'Only the owner and admins of a workspace may do this.');
    return own;
  }

  /** Returns a member to change or remove. Throws forbidden for the owner, whose membership is fixed. */
  #changeableMember(id: string, memberId: string): Member {
    const member = this.state.get<Member>('member', memberId);
    if (member?.workspaceId !== id) throw new Refusal(404, 'not_found', 'No member with this id.');
    if (member.role === 'owner')
      throw new Refusal(403, 'forbidden', 'The workspace owner cannot be changed or removed.');
    return member;
  }

  #members(matches: (member: Member) => boolean): Member[] {
    return [...this.state.all<Member>('member')].map(([, member]) => member).filter(matches);
  }

  #view(member: Member): MemberView {
    const { id, personId, email, role, joinedAt } = member;
    const person = personId === null ? undefined : this.personWithId(personId);
    const status = personId === null ? 'invited' : 'active';
    return { id, userId: personId, email, name: person?.name ?? '', role, status, joinedAt };
  }

  #timestamp(): string {
    return new Date(this.now()).toISOString();
  }
}

function workspaceNameOf(text: unknown): string {
  const name = typeof text === 'string' ? text.trim() : '';
  if (!name || [...name].length > 100 || !isPrintable(name))
    throw new Refusal(400, 'invalid_name', 'The name must be one line of 1 to 100 characters.', 'name');
  return name;
}

function assignableRoleOf(text: unknown): Role {
  const role = roles.find((one) => one === text && one !== 'owner');
  if (!role) throw new Refusal(400, 'invalid_role', 'The role must be admin, member or viewer.', 'role');
  return role;
}
