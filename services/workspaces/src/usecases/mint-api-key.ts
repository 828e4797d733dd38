import { fail, hashApiKey, mintApiKey as mint, newId, type Principal } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import { assertMayManageKeys, keyLabel, type ApiKey } from '../domain/api-key.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../store/workspaces.js';

interface Deps {
  workspaces: WorkspaceStore;
  members: MemberStore;
  apiKeys: ApiKeyStore;
  transact: Transact;
  now: () => Date;
}

/**
 * Makes a key and tells `api_key.created`. The answer is the only time that the key itself is seen. Throws
 * VALIDATION_ERROR naming `label`, NOT_FOUND for an unknown workspace, FORBIDDEN or PERSON_ONLY for the wrong caller.
 */
export async function mintApiKey(
  { workspaces, members, apiKeys, transact, now }: Deps,
  { by, workspaceId, label }: { by: Principal | null; workspaceId: string; label: string },
): Promise<ApiKey & { key: string }> {
  assertMayManageKeys(by, workspaceId);
  const wanted = keyLabel(label);
  if (!(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'There is no such workspace.');
  const { key, prefix } = mint();
  const made: ApiKey = {
    _id: newId('key'),
    workspaceId,
    label: wanted,
    prefix,
    hash: hashApiKey(key),
    createdBy: by ? { type: by.kind, id: by.id } : { type: 'system', id: null },
    createdAt: now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await transact(by, async (tx) => {
    // Whose membership ends meanwhile must leave no key behind.
    if (by && !(await members.hold(workspaceId, by.id, tx))) throw notMember();
    await apiKeys.insert(made, tx);
    tx.emit({
      type: 'api_key.created',
      workspaceId,
      target: { type: 'api_key', id: made._id, label: made.label },
      data: { id: made._id, label: made.label, prefix, createdAt: made.createdAt.toISOString() },
    });
  });
  return { ...made, key };
}

const notMember = () => fail('FORBIDDEN', 'You are not a member of this workspace.');
