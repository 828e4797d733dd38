import { fail, type Principal } from '@tautan/kit';
import { memberRoles, type EventData, type MemberRole, type MemberStatus } from '@tautan/proto';
import { z } from 'zod';

export const roles = memberRoles;
export type Role = MemberRole;

/** A membership in a workspace, or an invitation. */
export interface Member {
  /** mem_… */
  _id: string;
  workspaceId: string;
  /** Id at the identity provider; null if unknown or managed locally. */
  externalId: string | null;
  /** usr_…; null until the member is linked to a user. */
  userId: string | null;
  /** Lower case; unique in a workspace. */
  email: string;
  name: string;
  role: Role;
  status: MemberStatus;
  joinedAt: Date | null;
  /**
   * Responses to queries that were sent to the provider at this time or earlier are ignored, unless they report that
   * the invitation was accepted.
   */
  asOf: Date;
  createdAt: Date;
}

/** Maximum clock skew between replicas. */
const SKEW_MS = 1_000;

const address = z.email().max(254);

/**
 * Returns an email address trimmed and in lower case. Throws VALIDATION_ERROR naming `email` if it is invalid or
 * exceeds 254 characters.
 */
export function emailAddress(text: string): string {
  const email = text.trim().toLowerCase();
  if (!address.safeParse(email).success) throw fail('VALIDATION_ERROR', 'email must be an email address.', 'email');
  return email;
}

/** Returns a placeholder for an unknown email address (`.invalid` never exists, RFC 2606). */
export const unknownAddress = (userId: string): string => `${userId}@unknown.invalid`;

/** Parses an assignable role. Throws VALIDATION_ERROR naming `role` for any other text, including `owner`. */
export function parseAssignableRole(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === 'owner') throw fail('VALIDATION_ERROR', 'The owner role cannot be assigned.', 'role');
  if (!role) throw fail('VALIDATION_ERROR', 'role must be one of admin, member, viewer.', 'role');
  return role;
}

/** Returns whether a role may manage a workspace's name, members and API keys. */
export const manages = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Throws PERSON_ONLY if the principal is an API key. */
export function assertUser(by: Principal): void {
  if (by.kind !== 'user') throw fail('PERSON_ONLY', 'This requires a signed-in user. API keys are not accepted.');
}

/** Throws FORBIDDEN if the member is the owner. */
export function assertNotOwner(member: Member): void {
  if (member.role === 'owner') throw fail('FORBIDDEN', 'The workspace owner cannot be changed or removed.');
}

/** Throws FORBIDDEN if removing or demoting a member would leave the workspace without an owner or admin. */
export function assertManagerRemains(members: Member[], leaving: Member): void {
  const remaining = members.some(
    ({ _id, role, status }) => _id !== leaving._id && status === 'active' && manages(role),
  );
  if (!manages(leaving.role) || leaving.status !== 'active' || remaining) return;
  throw fail('FORBIDDEN', 'The workspace would have no owner or admin left.');
}

/** Returns the `asOf` of a write made now, so that no response to an earlier query overrides it. */
export const asOfWrite = (now: Date): Date => new Date(now.getTime() + SKEW_MS);

/** Returns a member as represented in the API and in events. */
export const memberData = (member: Member): EventData<'member.joined'> => ({
  id: member._id,
  userId: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  status: member.status,
  joinedAt: member.joinedAt?.toISOString() ?? null,
});
