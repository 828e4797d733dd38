import {
  fail,
  hashApiKey,
  mintApiKey as mint,
  operationIdOf,
  type KeyedMutex,
  type Operator,
  type Principal,
} from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import { assertKeysLeft, assertMayManageKeys, keyLabel, type ApiKey } from '../domain/api-key.js';
import { manages } from '../domain/member.js';
import type { ApiKeyStore } from '../store/api-keys.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../store/workspaces.js';

interface Deps {
  workspaces: WorkspaceStore;
  members: MemberStore;
  apiKeys: ApiKeyStore;
  transact: Transact;
  /** Maximum number of keys of a workspace that are not revoked. */
  maxApiKeys: number;
  /** Orders the creations of one workspace inside this process. */
  mutex: KeyedMutex;
  /** Makes every gateway verify these anew. */
  dropCredentials: (what: { apiKeyIds: string[] }) => void;
  now: () => Date;
}

interface Minting {
  by: Principal | Operator;
  workspaceId: string;
  label: string;
  /** ULID; a repetition with the same one replaces the secret of the key that the first attempt minted. */
  operationId?: string | undefined;
  /** Aborted when the caller's deadline passed; a key that waits for its turn is not minted then. */
  signal: AbortSignal;
}

/**
 * Creates a key and emits `api_key.created`. The key itself is returned only here. Throws VALIDATION_ERROR naming `label`, also
 * when the workspace has `maxApiKeys`, NOT_FOUND for an unknown workspace, FORBIDDEN or PERSON_ONLY for the wrong caller.
 */
export async function mintApiKey(
  deps: Deps,
  { by, workspaceId, label, operationId, signal }: Minting,
): Promise<ApiKey & { key: string }> {
  const { workspaces, now } = deps;
  assertMayManageKeys(by, workspaceId);
  const wanted = keyLabel(label);
  if (!(await workspaces.find(workspaceId))) throw fail('NOT_FOUND', 'There is no such workspace.');
  const { key, prefix } = mint();
  const made: ApiKey = {
    _id: operationIdOf('key', operationId),
    workspaceId,
    label: wanted,
    prefix,
    hash: hashApiKey(key),
    createdBy: by.kind === 'operator' ? { type: 'system', id: null } : { type: by.kind, id: by.id },
    createdAt: now(),
    lastUsedAt: null,
    revokedAt: null,
  };
  const written = await deps.mutex.run(workspaceId, () => writeKey(deps, by, made), signal);
  if (written !== made) deps.dropCredentials({ apiKeyIds: [written._id] });
  return { ...written, key };
}

/** Inserts a key, or gives the one that an earlier attempt of the operation inserted its secret. Returns what is stored. */
async function writeKey(
  { workspaces, members, apiKeys, transact, maxApiKeys }: Deps,
  by: Principal | Operator,
  key: ApiKey,
): Promise<ApiKey> {
  const { workspaceId, _id: id, label, prefix, createdAt } = key;
  return transact(by, async (tx) => {
    await workspaces.hold(workspaceId, tx);
    // A membership that ends, or a demotion, leaves no key behind that is minted meanwhile.
    if (by.kind !== 'operator') {
      const member = (await members.hold(workspaceId, by.id, tx)) && (await members.findMembership(workspaceId, by.id, tx)); // prettier-ignore
      if (!member) throw notMember();
      if (!manages(member.role)) throw fail('FORBIDDEN', 'Your role does not manage API keys.');
    }
    const earlier = await apiKeys.find(id, tx);
    if (earlier) {
      if (earlier.workspaceId !== workspaceId || earlier.revokedAt) throw revokedMeanwhile();
      const replaced = { ...earlier, prefix, hash: key.hash };
      await apiKeys.replaceSecret(replaced, tx);
      return replaced;
    }
    assertKeysLeft(await apiKeys.count(workspaceId, tx), maxApiKeys);
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

const revokedMeanwhile = () => fail('NOT_FOUND', 'The key that this request minted before was revoked.');

const notMember = () => fail('FORBIDDEN', 'You are not a member of this workspace.');
