import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { MemberMerge } from '../domain/mirror.js';
import { addMembers } from '../../members/steps/add-members.js';
import type { Credentials, MirrorDeps } from '../../usecase-deps.js';
import { endMemberships } from '../../members/steps/end-memberships.js';
import { emitMemberChange, emitMember } from '../../members/steps/member-events.js';
import { revokeApiKeysOfDemoted } from '../../api-keys/steps/revoke-minted-api-keys.js';
import { retryDuplicates } from './retry-duplicates.js';

/** Maximum number of removed and changed members per transaction. The last transaction also adds all new members. */
const MAX_PER_TRANSACTION = 100;

export interface Merged {
  /** Credentials that the gateways must invalidate after the commit. */
  credentials: Credentials;
  /** Whether everything was written; otherwise the same state must be merged again. */
  isComplete: boolean;
}

/**
 * Writes the changes of a merge into the mirror, and emits events. The merged state was read at `readAt`. Writes only
 * some of the changes if there are too many for one transaction.
 */
export async function applyMerge(deps: MirrorDeps, merge: MemberMerge, readAt: Date, tx: Transaction): Promise<Merged> {
  const removed = merge.removed.slice(0, MAX_PER_TRANSACTION);
  const changed = merge.changed.slice(0, MAX_PER_TRANSACTION - removed.length);
  const isComplete = removed.length === merge.removed.length && changed.length === merge.changed.length;
  const credentials = await endMemberships(deps, { removed, asOf: readAt }, tx);
  const withNewEmail = changed.filter(({ before, after }) => before.email !== after.email);
  await deps.members.freeEmails(
    withNewEmail.map(({ before }) => before._id),
    tx,
  );
  await deps.members.write(
    changed.map(({ after }) => after),
    tx,
  );
  for (const change of changed) {
    emitMemberChange(tx, change);
    credentials.apiKeyIds.push(...(await revokeApiKeysOfDemoted(deps, change, tx)));
    if (change.after.userId) credentials.userIds.push(change.after.userId);
  }
  const fresh = await deps.members.notEndedAfter(readAt, isComplete ? merge.added : [], tx);
  await addMembers(deps, fresh, tx);
  for (const member of fresh) {
    emitMember(tx, member.status === 'active' ? 'member.joined' : 'member.invited', member);
    if (member.userId) credentials.userIds.push(member.userId);
  }
  return { credentials, isComplete };
}

/** Runs a merge in as many transactions as necessary, and notifies the gateways after each. */
export async function mergeInBatches(
  deps: MirrorDeps,
  by: Principal | null,
  merge: (tx: Transaction) => Promise<Merged>,
): Promise<void> {
  for (;;) {
    const { credentials, isComplete } = await retryDuplicates(() => deps.transact(by, merge));
    if (credentials.userIds.length || credentials.apiKeyIds.length) deps.recheckCredentials(credentials);
    if (isComplete) return;
  }
}
