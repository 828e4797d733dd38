import { fail, type Principal } from '@tautan/kit';
import type { EventData } from '@tautan/proto';
import { z } from 'zod';

export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** A person's place in a workspace, or the invitation to it. */
export interface Member {
  /** mem_… */
  _id: string;
  workspaceId: string;
  /** Its id at the identity provider; null until the provider told it, or where it is known here alone. */
  externalId: string | null;
  /** usr_…; null as long as the person was not seen here. */
  userId: string | null;
  /** Lower case; one member of a workspace each. */
  email: string;
  name: string;
  role: Role;
  status: 'active' | 'invited';
  joinedAt: Date | null;
  /** What the provider said before this is older than what stands here. */
  asOf: Date;
  createdAt: Date;
}

/** How far the clocks of two replicas may differ. */
const SKEW_MS = 1_000;

const address = z.email().max(254);

/** An email address in lower case. Throws VALIDATION_ERROR naming `email` for one that is none or exceeds 254 characters. */
export function emailAddress(text: string): string {
  const email = text.trim().toLowerCase();
  if (!address.safeParse(email).success) throw fail('VALIDATION_ERROR', 'email must be an email address.', 'email');
  return email;
}

/** What stands for the email of a person whom the provider tells none of. (RFC 2606: no such host can exist.) */
export const unknownAddress = (userId: string): string => `${userId}@unknown.invalid`;

/** A role that can be given. Throws VALIDATION_ERROR naming `role`, also for `owner`. */
export function roleToGive(text: string): Role {
  const role = roles.find((name) => name === text);
  if (role === 'owner') throw fail('VALIDATION_ERROR', 'A workspace has one owner; nobody is made owner.', 'role');
  if (!role) throw fail('VALIDATION_ERROR', 'role must be one of admin, member, viewer.', 'role');
  return role;
}

/** Whether a role manages a workspace: its name, members and keys. */
export const manages = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Refuses an API key where only a person may act. */
export function assertPerson(by: Principal): void {
  if (by.kind !== 'user') throw fail('PERSON_ONLY', 'Only a person can do this; an API key was used.');
}

/** Refuses to change or remove the owner. */
export function assertNotOwner(member: Member): void {
  if (member.role === 'owner') throw fail('FORBIDDEN', 'The workspace owner cannot be changed or removed.');
}

/** Refuses what would leave a workspace without anybody who manages it: no owner, and no admin but the one who goes. */
export function assertManagerRemains(members: Member[], going: Member): void {
  const remaining = members.some(({ _id, role, status }) => _id !== going._id && status === 'active' && manages(role));
  if (!manages(going.role) || going.status !== 'active' || remaining) return;
  throw fail('FORBIDDEN', 'The workspace would be left without anybody who manages it.');
}

/** The `asOf` of what is written here now: no answer that the provider may have given before it counts against it. */
export const writtenNow = (now: Date): Date => new Date(now.getTime() + SKEW_MS);

/** A member as the API and events show them. */
export const memberData = (member: Member): EventData<'member.joined'> => ({
  id: member._id,
  userId: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  status: member.status,
  joinedAt: member.joinedAt?.toISOString() ?? null,
});
