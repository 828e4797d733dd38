import { fail, newUlid, type Principal, type Sealing } from '@tautan/kit';
import {
  assertFingerprint,
  assertLease,
  KEPT_MS,
  MOST_LEASE_MS,
  openAnswer,
  requestId,
  verdict,
  type IdempotentRequest,
  type StoredAnswer,
} from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  answerSealing: Sealing;
  now: () => Date;
}

export type Begun =
  | { state: 'claimed'; operationId: string }
  | { state: 'replay'; answer: StoredAnswer }
  | { state: 'in_progress' | 'mismatch' };

/** Rounds until a settled answer. Each one that is lost was won by another request, so that some request gets on. */
const MAX_ROUNDS = 10;

/**
 * Claims an Idempotency-Key for a request, or answers what became of the request that claimed it before. Of any number
 * of concurrent claims exactly one succeeds. A claim that has run for `leaseMs` without an answer, or was released, is
 * claimed again under the same operation id. Throws VALIDATION_ERROR naming `Idempotency-Key`, `fingerprint` or `leaseMs`.
 */
export async function beginRequest(
  { requests, answerSealing, now }: Deps,
  {
    by,
    key,
    fingerprint,
    leaseMs = MOST_LEASE_MS,
  }: { by: Principal; key: string; fingerprint: Buffer; leaseMs?: number | undefined },
): Promise<Begun> {
  const id = requestId(by.workspaceId, key);
  assertFingerprint(fingerprint);
  assertLease(leaseMs);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const at = now();
    const leaseUntil = new Date(at.getTime() + leaseMs);
    const fresh = newClaim({ id, fingerprint, leaseUntil, at });
    // Look first: a repetition is as common as a first time, and a failed insert costs more than a read.
    const found = await requests.find(id);
    if (!found) {
      if (await requests.insert(fresh)) return { state: 'claimed', operationId: fresh.operationId };
      continue;
    }
    const state = verdict(found, fingerprint, at);
    if (state === 'replay') return { state, answer: openAnswer(answerSealing, id, found.answer!) };
    if (state === 'in_progress' || state === 'mismatch') return { state };
    if (state === 'forgotten') await requests.forget(found);
    else if (await requests.takeOver(found, leaseUntil)) return { state: 'claimed', operationId: found.operationId };
  }
  throw fail('SERVICE_UNAVAILABLE', 'Too many requests compete for this Idempotency-Key; try again.');
}

interface Claim {
  id: string;
  fingerprint: Buffer;
  leaseUntil: Date;
  at: Date;
}

const newClaim = ({ id, fingerprint, leaseUntil, at }: Claim): IdempotentRequest => ({
  _id: id,
  state: 'running',
  operationId: newUlid(),
  fingerprint,
  answer: null,
  leaseUntil,
  expireAt: new Date(at.getTime() + KEPT_MS),
});
