import { fail, idForOperation, type KeyedMutex, type Operator, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { hashApiKey, generateApiKey } from '@tautan/proto';
import type { Transact } from '@tautan/kit/mongo';
import { assertApiKeyLimit, assertMayManageApiKeys, apiKeyLabel, type ApiKey } from '../domain/api-key.js';
import { manages } from '../../members/domain/member.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { MemberStore } from '../../store/index.js';
import type { WorkspaceStore } from '../../store/index.js';

interface Deps extends Pick<CallDeps, 'signal'> {
  workspaces: WorkspaceStore;
  members: MemberStore;
  apiKeys: ApiKeyStore;
  transact: Transact;
  /** Maximum number of unrevoked keys per workspace. */
  maxApiKeys: number;
  /** Serializes, in this process, the transactions that mint keys of one workspace. */
  mutex: KeyedMutex;
  /** Makes every gateway verify these keys again. */
  recheckCredentials: (credentials: { apiKeyIds: string[] }) => void;
  now: () => Date;
}

interface MintApiKeyInput {
  workspaceId: string;
  label: string;
  /** ULID. Repeating it replaces the secret of the key that the first attempt minted. */
  operationId?: string | undefined;
}

/**
 * Creates a key and emits `api_key.created`. The key itself is returned only here. Throws VALIDATION_ERROR naming
 * `label` if the label is invalid or the workspace has reached `maxApiKeys`; NOT_FOUND for an unknown workspace, or if
 * the key of this operation was revoked; FORBIDDEN or PERSON_ONLY for a caller without permission. If `deps.signal` is
 * aborted while the call waits for the mutex, nothing is minted.
 */
export async function mintApiKey(
  deps: Deps,
  by: Principal | Operator,
  { workspaceId, label, operationId }: MintApiKeyInput,
): Promise<ApiKey & { key: string }> {
  const { workspaces, now } = deps;
  assertMayManageApiKeys(by, workspaceId);
  const validLabel = apiKeyLabel(label);
  if (!(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'No workspace with this id.');
  const { key, prefix } = generateApiKey();
  const created: ApiKey = {
    _id: idForOperation('key', operationId),
    workspaceId,
    label: validLabel,
    prefix,
    hash: hashApiKey(key),
    createdBy: by.kind === 'operator' ? { type: 'system', id: null } : { type: by.kind, id: by.id },
    createdAt: now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  const written = await deps.mutex.run(workspaceId, () => writeKey(deps, by, created), deps.signal);
  if (written !== created) deps.recheckCredentials({ apiKeyIds: [written._id] });
  return { ...written, key };
}

/**
 * Inserts a key, or replaces the secret of the one that an earlier attempt of the operation inserted. Returns the
 * stored key.
 */
async function writeKey(
  { workspaces, members, apiKeys, transact, maxApiKeys }: Deps,
  by: Principal | Operator,
  key: ApiKey,
): Promise<ApiKey> {
  const { workspaceId, _id: id, label, prefix, createdAt } = key;
  return transact(by, async (tx) => {
    await workspaces.lock(workspaceId, tx);
    // Lock the member, so that a concurrent removal or demotion revokes the new key or makes this call fail.
    if (by.kind !== 'operator') {
      const member =
        (await members.lock(workspaceId, by.id, tx)) && (await members.findMembership(workspaceId, by.id, tx));
      if (!member) throw notMember();
      if (!manages(member.role)) throw fail('FORBIDDEN', 'Only owners and admins can manage API keys.');
    }
    const earlier = await apiKeys.find(id, tx);
    if (earlier) {
      if (earlier.workspaceId !== workspaceId || earlier.revokedAt) throw revokedMeanwhile();
      const replaced = { ...earlier, prefix, hash: key.hash };
      await apiKeys.replaceSecret(replaced, tx);
      return replaced;
    }
    assertApiKeyLimit(await apiKeys.count(workspaceId, tx), maxApiKeys);
    await apiKeys.insert(key, tx);
    tx.emit({
      type: 'api_key.created',
      workspaceId,
      target: { type: 'api_key', id, label },
      data: { id, label, prefix, createdAt: createdAt.toISOString() },
    });
    return key;
  });
}

const revokedMeanwhile = () => fail('NOT_FOUND', 'The key minted by an earlier attempt of this request was revoked.');

const notMember = () => fail('FORBIDDEN', 'You are not a member of this workspace.');
