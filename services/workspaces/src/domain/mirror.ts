import { newId } from '@tautan/kit';
import type { Member } from './member.js';

/** A member as the identity provider has them, with the person behind them where they are known here. */
export type SeenMember = Pick<Member, 'externalId' | 'userId' | 'email' | 'name' | 'role' | 'status' | 'joinedAt'>;

export interface Change<T> {
  before: T;
  after: T;
}

/** What there is to do so that the mirror of a workspace's members says what the provider says. */
export interface MemberMerge {
  added: Member[];
  changed: Change<Member>[];
  removed: Member[];
}

/**
 * Compares the members known of one workspace with those that the provider named when it was asked at `readAt`. Members
 * are recognised by the provider's id, else by person, else by email. What was written here after `readAt` is left as it is.
 */
export function mergeMembers(workspaceId: string, known: Member[], seen: SeenMember[], readAt: Date): MemberMerge {
  const rest = new Set(known);
  const merge: MemberMerge = { added: [], changed: [], removed: [] };
  for (const one of oneOfEachEmail(seen)) {
    const before = recognise(one, [...rest]);
    const isNewer = before !== undefined && !counts(before, one, readAt);
    // Who is only invited again has been out meanwhile.
    const wasOut = before?.status === 'active' && one.status === 'invited';
    if (before && (isNewer || !wasOut)) rest.delete(before);
    if (!before || (wasOut && !isNewer)) merge.added.push(newMember(workspaceId, one, readAt));
    else if (!isNewer) pushChange(merge, before, updated(before, one, readAt));
  }
  merge.removed = [...rest].filter(({ asOf }) => readAt > asOf);
  const kept = new Set([...rest].filter(({ asOf }) => readAt <= asOf).map(({ email }) => email));
  merge.added = merge.added.filter(({ email }) => !kept.has(email));
  return merge;
}

/** Whether what the provider said at `readAt` is news of a known member. That an invitation was taken up always is. */
export const counts = (before: Member, seen: SeenMember, readAt: Date): boolean =>
  readAt > before.asOf || (before.status === 'invited' && seen.status === 'active');

/** Adds a change to a merge, if there is one. */
export function pushChange(merge: MemberMerge, before: Member, after: Member): void {
  if (!isSame(before, after)) merge.changed.push({ before, after });
}

/** Finds who a seen member is among the known ones: by the provider's id, else by person, else by email. */
export const recognise = (seen: SeenMember, known: Member[]): Member | undefined =>
  known.find(({ externalId }) => externalId !== null && externalId === seen.externalId) ??
  known.find(({ userId }) => userId !== null && userId === seen.userId) ??
  // An email alone tells nothing where an id or a person says that it is somebody else.
  known.find(
    ({ email, externalId, userId }) =>
      email === seen.email && agree(externalId, seen.externalId) && agree(userId, seen.userId),
  );

const agree = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;

/** A known member as the provider has them now. What the provider leaves open stays. */
export function updated(before: Member, seen: SeenMember, readAt: Date): Member {
  const active = seen.status === 'active';
  return {
    ...before,
    externalId: seen.externalId ?? before.externalId,
    userId: seen.userId ?? before.userId,
    email: seen.email,
    name: seen.name || before.name,
    role: seen.role,
    status: seen.status,
    // What was told once stays.
    joinedAt: active ? (before.joinedAt ?? seen.joinedAt ?? readAt) : null,
    asOf: readAt,
  };
}

/** A member who was not known. */
export const newMember = (workspaceId: string, seen: SeenMember, readAt: Date): Member => ({
  ...seen,
  _id: newId('mem'),
  workspaceId,
  joinedAt: seen.status === 'active' ? (seen.joinedAt ?? readAt) : null,
  asOf: readAt,
  createdAt: readAt,
});

const compared = ['externalId', 'userId', 'email', 'name', 'role', 'status'] as const;

/** Whether nothing differs that is worth a write. */
const isSame = (a: Member, b: Member): boolean =>
  compared.every((field) => a[field] === b[field]) && a.joinedAt?.getTime() === b.joinedAt?.getTime();

function oneOfEachEmail(seen: SeenMember[]): SeenMember[] {
  const byEmail = new Map<string, SeenMember>();
  for (const one of seen) if (!byEmail.has(one.email)) byEmail.set(one.email, one);
  return [...byEmail.values()];
}
