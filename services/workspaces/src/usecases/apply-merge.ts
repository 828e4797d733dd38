import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { MemberMerge } from '../domain/mirror.js';
import { addMembers } from './add-members.js';
import type { Credentials, MirrorDeps } from './deps.js';
import { endMemberships } from './end-memberships.js';
import { tellChange, tellMember } from './member-events.js';
import { revokeKeysOfDemoted } from './revoke-minted-keys.js';
import { retryDuplicates } from './retry-duplicates.js';

/** Most that one transaction changes or ends, so that it stays within its time. */
const MOST_AT_ONCE = 100;

export interface Merged {
  /** What the gateways have to forget after the commit. */
  dropped: Credentials;
  /** Whether all was written; otherwise the same reading must be merged again. */
  whole: boolean;
}

/** Writes what the provider said at `readAt` into the mirror, with its events; of a great many changes, a part. */
export async function applyMerge(deps: MirrorDeps, merge: MemberMerge, readAt: Date, tx: Transaction): Promise<Merged> {
  const removed = merge.removed.slice(0, MOST_AT_ONCE);
  const changed = merge.changed.slice(0, MOST_AT_ONCE - removed.length);
  const whole = removed.length === merge.removed.length && changed.length === merge.changed.length;
  const dropped = await endMemberships(deps, { gone: removed, asOf: readAt }, tx);
  const moving = changed.filter(({ before, after }) => before.email !== after.email);
  await deps.members.freeEmails(moving.map(({ before }) => before._id), tx); // prettier-ignore
  await deps.members.write(changed.map(({ after }) => after), tx); // prettier-ignore
  for (const change of changed) {
    tellChange(tx, change);
    dropped.apiKeyIds.push(...(await revokeKeysOfDemoted(deps, change, tx)));
    if (change.after.userId) dropped.userIds.push(change.after.userId);
  }
  const fresh = await deps.members.notEndedSince(readAt, whole ? merge.added : [], tx);
  await addMembers(deps, fresh, tx);
  for (const member of fresh) {
    tellMember(tx, member.status === 'active' ? 'member.joined' : 'member.invited', member);
    if (member.userId) dropped.userIds.push(member.userId);
  }
  return { dropped, whole };
}

/** Runs a merge in as many transactions as it takes, and tells the gateways after each what to forget. */
export async function mergeWholly(
  deps: MirrorDeps,
  by: Principal | null,
  merge: (tx: Transaction) => Promise<Merged>,
): Promise<void> {
  for (;;) {
    const { dropped, whole } = await retryDuplicates(() => deps.transact(by, merge));
    if (dropped.userIds.length || dropped.apiKeyIds.length) deps.dropCredentials(dropped);
    if (whole) return;
  }
}
