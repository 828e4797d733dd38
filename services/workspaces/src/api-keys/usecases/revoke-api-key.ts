import { fail, type Operator, type Principal } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import { assertMayManageApiKeys } from '../domain/api-key.js';
import type { ApiKeyStore } from '../store/api-keys.js';

interface Deps {
  apiKeys: ApiKeyStore;
  transact: Transact;
  /** Makes every gateway verify these keys again. */
  recheckCredentials: (credentials: { apiKeyIds: string[] }) => void;
  now: () => Date;
}

/**
 * Revokes a key and emits `api_key.revoked`. Revoking a revoked key only notifies the gateways again. Throws NOT_FOUND
 * for an unknown key, FORBIDDEN for one of another workspace, and FORBIDDEN or PERSON_ONLY for a caller without
 * permission.
 */
export async function revokeApiKey(
  { apiKeys, transact, recheckCredentials, now }: Deps,
  by: Principal | Operator,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<void> {
  assertMayManageApiKeys(by, workspaceId);
  await transact(by, async (tx) => {
    const key = await apiKeys.find(id, tx);
    if (!key) throw fail('NOT_FOUND', 'No API key with this id.');
    if (key.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'The key belongs to another workspace.');
    if (!(await apiKeys.revoke(id, now(), tx))) return;
    tx.emit({
      type: 'api_key.revoked',
      workspaceId,
      target: { type: 'api_key', id, label: key.label },
      data: { id, label: key.label, prefix: key.prefix, createdAt: key.createdAt.toISOString() },
    });
  });
  recheckCredentials({ apiKeyIds: [id] });
}
