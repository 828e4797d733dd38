import { fail, type Principal, type Sealing } from '@tautan/kit';
import { RETENTION_MS, recordId, sealAnswer, type PlainAnswer } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  responseSealing: Sealing;
  now: () => Date;
}

/**
 * Stores the response of a claimed request, encrypted, for 24 hours. A second response under the same claim is ignored.
 * Throws VALIDATION_ERROR naming `answer.status` or `Idempotency-Key`, and NOT_FOUND if there is no such claim or
 * another request has taken it over.
 */
export async function completeRequest(
  { requests, responseSealing, now }: Deps,
  by: Principal,
  { key, claim, answer }: { key: string; claim: string; answer: PlainAnswer | null },
): Promise<void> {
  if (!answer || answer.status < 200 || answer.status > 599) {
    throw fail('VALIDATION_ERROR', 'answer.status must be an HTTP status from 200 to 599.', 'answer.status');
  }
  const expireAt = new Date(now().getTime() + RETENTION_MS);
  const id = recordId(by.workspaceId, key);
  const completed = await requests.complete(id, claim, sealAnswer(responseSealing, id, answer), expireAt);
  if (!completed) throw fail('NOT_FOUND', 'This request does not hold the Idempotency-Key.');
}
