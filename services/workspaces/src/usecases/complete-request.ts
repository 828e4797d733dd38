import { fail, type Principal } from '@tautan/kit';
import { KEPT_MS, requestId, type StoredAnswer } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  now: () => Date;
}

/**
 * Keeps the answer of a claimed request for 24 hours. A second answer under the same claim is dropped: the first one
 * stands. Throws NOT_FOUND when there is no such claim.
 */
export async function completeRequest(
  { requests, now }: Deps,
  { by, key, operationId, answer }: { by: Principal; key: string; operationId: string; answer: StoredAnswer | null },
): Promise<void> {
  if (!answer || answer.status < 200 || answer.status > 599) {
    throw fail('VALIDATION_ERROR', 'answer.status must be an HTTP status of 200 to 599.', 'answer.status');
  }
  const expireAt = new Date(now().getTime() + KEPT_MS);
  const kept = await requests.complete(requestId(by.workspaceId, key), operationId, answer, expireAt);
  if (!kept) throw fail('NOT_FOUND', 'No request holds this Idempotency-Key.');
}
