import { newId } from '@tautan/kit';
import type { Member } from '../../members/domain/member.js';

/** A member as reported by the identity provider, with the local user if known. */
export type ReportedMember = Pick<Member, 'externalId' | 'userId' | 'email' | 'name' | 'role' | 'status' | 'joinedAt'>;

export interface Change<T> {
  before: T;
  after: T;
}

/** The changes that make the mirror, this service's copy of the provider's records, equal to the provider's state. */
export interface MemberMerge {
  added: Member[];
  changed: Change<Member>[];
  removed: Member[];
}

/**
 * Compares the known members of a workspace with those that the provider reported when it was queried at `readAt`.
 * Members are matched by the provider's id, else by user, else by email. Local writes since `readAt` are kept.
 */
export function mergeMembers(
  workspaceId: string,
  known: Member[],
  provided: ReportedMember[],
  readAt: Date,
): MemberMerge {
  const rest = new Set(known);
  const merge: MemberMerge = { added: [], changed: [], removed: [] };
  for (const reported of oneOfEachEmail(provided)) {
    const before = matchMember(reported, [...rest]);
    const isLocalNewer = before !== undefined && !supersedes(before, reported, readAt);
    // An active member who is reported as invited was removed and invited again.
    const wasRemoved = before?.status === 'active' && reported.status === 'invited';
    if (before && (isLocalNewer || !wasRemoved)) rest.delete(before);
    if (!before || (wasRemoved && !isLocalNewer)) merge.added.push(newMember(workspaceId, reported, readAt));
    else if (!isLocalNewer) pushChange(merge, before, updated(before, reported, readAt));
  }
  merge.removed = [...rest].filter(({ asOf }) => readAt > asOf);
  const kept = new Set([...rest].filter(({ asOf }) => readAt <= asOf).map(({ email }) => email));
  merge.added = merge.added.filter(({ email }) => !kept.has(email));
  return merge;
}

/**
 * Returns whether the provider's state at `readAt` supersedes a known member. The acceptance of an invitation always
 * does.
 */
export const supersedes = (before: Member, reported: ReportedMember, readAt: Date): boolean =>
  readAt > before.asOf || (before.status === 'invited' && reported.status === 'active');

/** Adds a change to a merge, if anything differs. */
export function pushChange(merge: MemberMerge, before: Member, after: Member): void {
  if (!isSame(before, after)) merge.changed.push({ before, after });
}

/** Returns the known member that a reported one matches: by the provider's id, else by user, else by email. */
export const matchMember = (reported: ReportedMember, known: Member[]): Member | undefined =>
  known.find(({ externalId }) => externalId !== null && externalId === reported.externalId) ??
  known.find(({ userId }) => userId !== null && userId === reported.userId) ??
  // An email does not match if the id or the user differs.
  known.find(
    ({ email, externalId, userId }) =>
      email === reported.email &&
      areCompatible(externalId, reported.externalId) &&
      areCompatible(userId, reported.userId),
  );

const areCompatible = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;

/** Returns a known member with the provider's state. Fields that the provider omits stay unchanged. */
export function updated(before: Member, reported: ReportedMember, readAt: Date): Member {
  const active = reported.status === 'active';
  return {
    ...before,
    externalId: reported.externalId ?? before.externalId,
    userId: reported.userId ?? before.userId,
    email: reported.email,
    name: reported.name || before.name,
    role: reported.role,
    status: reported.status,
    // Keep the time of joining if it is known.
    joinedAt: active ? (before.joinedAt ?? reported.joinedAt ?? readAt) : null,
    asOf: readAt,
  };
}

export const newMember = (workspaceId: string, reported: ReportedMember, readAt: Date): Member => ({
  ...reported,
  _id: newId('mem'),
  workspaceId,
  joinedAt: reported.status === 'active' ? (reported.joinedAt ?? readAt) : null,
  asOf: readAt,
  createdAt: readAt,
});

const compared = ['externalId', 'userId', 'email', 'name', 'role', 'status'] as const;

/** Returns whether all mirrored fields are equal. `asOf` is not mirrored. */
const isSame = (a: Member, b: Member): boolean =>
  compared.every((field) => a[field] === b[field]) && a.joinedAt?.getTime() === b.joinedAt?.getTime();

function oneOfEachEmail(provided: ReportedMember[]): ReportedMember[] {
  const byEmail = new Map<string, ReportedMember>();
  for (const reported of provided) if (!byEmail.has(reported.email)) byEmail.set(reported.email, reported);
  return [...byEmail.values()];
}
