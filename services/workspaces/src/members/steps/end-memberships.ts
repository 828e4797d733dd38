import type { Transaction } from '@tautan/kit/mongo';
import type { Member } from '../domain/member.js';
import { countByWorkspace } from './add-members.js';
import type { Credentials, MirrorDeps } from '../../usecase-deps.js';
import { emitMember } from './member-events.js';
import { revokeMintedApiKeys } from '../../api-keys/steps/revoke-minted-api-keys.js';
import { sessionEnding } from '../../sessions/steps/session-principal.js';

/**
 * Ends memberships that were read in this transaction. Also revokes the API keys that their users minted in the
 * workspaces that they leave, resets a user's last active workspace if it is one of these, and ends all sessions of
 * users who belong to no other workspace. Returns the credentials that the gateways must invalidate after the commit.
 */
export async function endMemberships(
  deps: MirrorDeps,
  { removed, asOf }: { removed: Member[]; asOf: Date },
  tx: Transaction,
): Promise<Credentials> {
  await deps.usage.add(countByWorkspace(removed, -1), deps.now(), tx);
  await deps.members.end(removed, asOf, tx);
  for (const member of removed) emitMember(tx, 'member.removed', member);
  const credentials: Credentials = { apiKeyIds: [], userIds: [] };
  for (const [userId, workspaceIds] of workspacesByUser(removed)) {
    credentials.userIds.push(userId);
    credentials.apiKeyIds.push(...(await endAccess(deps, workspaceIds, userId, tx)));
  }
  return credentials;
}

/** Returns the ids of the workspaces of the active members among `removed`, by user id. */
function workspacesByUser(removed: Member[]): Map<string, string[]> {
  const byUser = new Map<string, string[]>();
  for (const { userId, status, workspaceId } of removed) {
    if (userId && status === 'active') byUser.set(userId, [...(byUser.get(userId) ?? []), workspaceId]);
  }
  return byUser;
}

/** Ends a user's access to workspaces. Returns the ids of the revoked API keys. */
async function endAccess(deps: MirrorDeps, workspaceIds: string[], userId: string, tx: Transaction): Promise<string[]> {
  const { members, users, sessions } = deps;
  const keyIds = await revokeMintedApiKeys(deps, workspaceIds, userId, tx);
  const user = await users.find(userId, tx);
  const last = user?.lastWorkspaceId;
  if (last && workspaceIds.includes(last)) await users.clearLastWorkspace(userId, last, tx);
  if ((await members.countOf(userId, tx)) === 0) {
    const ended = await sessions.endAllOf(userId, tx);
    const [workspaceId] = workspaceIds;
    for (let n = 0; user && n < ended; n += 1)
      tx.emit({ ...sessionEnding({ user }, 'member_removed'), workspaceId: workspaceId! });
  }
  return keyIds;
}
