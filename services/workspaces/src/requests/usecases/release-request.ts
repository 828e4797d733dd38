import type { Principal } from '@tautan/kit';
import { recordId } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/**
 * Releases a claim, so that the same request can be retried immediately. The request's operation id and fingerprint are
 * kept, because the failed attempt may have had effects. Does nothing if the claim has ended.
 */
export async function releaseRequest(
  { requests }: Deps,
  by: Principal,
  { key, claim }: { key: string; claim: string },
): Promise<void> {
  await requests.release(recordId(by.workspaceId, key), claim);
}
