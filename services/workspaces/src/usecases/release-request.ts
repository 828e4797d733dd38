import type { Principal } from '@tautan/kit';
import { requestId } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  now: () => Date;
}

/**
 * Gives a claim back, so that the same request can be tried again at once. It keeps its operation id and its fingerprint:
 * what failed may have taken effect all the same. Without such a claim nothing happens.
 */
export async function releaseRequest(
  { requests, now }: Deps,
  { by, key, operationId }: { by: Principal; key: string; operationId: string },
): Promise<void> {
  await requests.release(requestId(by.workspaceId, key), operationId, now());
}
