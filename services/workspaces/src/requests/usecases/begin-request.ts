import { fail, newUlid, type Principal, type Sealing } from '@tautan/kit';
import {
  assertFingerprint,
  assertHolder,
  RETENTION_MS,
  LEASE_MS,
  openAnswer,
  recordId,
  requestState,
  type IdempotentRequest,
  type RequestHolder,
  type PlainAnswer,
} from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  /** Announces a claim to the job that releases abandoned ones. */
  watchClaims: () => void;
  responseSealing: Sealing;
  now: () => Date;
}

export type Begun =
  | { state: 'claimed'; operationId: string; claimId: string; leaseMs: number }
  | { state: 'replay'; answer: PlainAnswer }
  | { state: 'in_progress' | 'mismatch' };

/**
 * Maximum number of attempts to claim a key. An attempt fails only if another request changed the record meanwhile, or
 * if the record had expired: then the attempt deletes it.
 */
const MAX_ROUNDS = 10;

/**
 * Claims an Idempotency-Key for a request, or returns the state of the request that claimed it before. Exactly one of
 * several concurrent claims succeeds. A released claim is taken over with the same operation id. Throws
 * VALIDATION_ERROR naming `Idempotency-Key`, `fingerprint` or `process`, and SERVICE_UNAVAILABLE after too many
 * conflicts or if the stored response cannot be decrypted.
 */
export async function beginRequest(
  { requests, watchClaims, responseSealing, now }: Deps,
  by: Principal,
  { key, fingerprint, holder }: { key: string; fingerprint: Buffer; holder: RequestHolder | null },
): Promise<Begun> {
  const id = recordId(by.workspaceId, key);
  assertFingerprint(fingerprint);
  assertHolder(holder);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const at = now();
    const fresh = newClaim({ id, fingerprint, holder, at });
    const claimed = (operationId: string): Begun => {
      watchClaims();
      return { state: 'claimed', operationId, claimId: fresh.claim, leaseMs: LEASE_MS };
    };
    // Read first, because repetitions are common, and a failed insert costs more than a read.
    const found = await requests.find(id);
    if (!found) {
      if (await requests.insert(fresh)) return claimed(fresh.operationId);
      continue;
    }
    const state = requestState(found, fingerprint, at);
    if (state === 'replay') return { state, answer: openAnswer(responseSealing, id, found.answer!) };
    if (state === 'in_progress' || state === 'mismatch') return { state };
    if (state === 'expired') await requests.deleteExpired(found);
    else if (await requests.takeOver(found, fresh.claim, holder)) return claimed(found.operationId);
  }
  throw fail('SERVICE_UNAVAILABLE', 'Too many concurrent requests use this Idempotency-Key. Try again.');
}

interface Claim {
  id: string;
  fingerprint: Buffer;
  holder: RequestHolder;
  at: Date;
}

const newClaim = ({ id, fingerprint, holder, at }: Claim): IdempotentRequest => ({
  _id: id,
  state: 'running',
  operationId: newUlid(),
  fingerprint,
  answer: null,
  claim: newUlid(),
  beat: 0,
  holder,
  expireAt: new Date(at.getTime() + RETENTION_MS),
});
