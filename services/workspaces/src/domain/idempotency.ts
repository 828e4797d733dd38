import { createHash } from 'node:crypto';
import { fail, type Sealing } from '@tautan/kit';

/** The answer to a request, as it is replayed. */
export interface StoredAnswer {
  status: number;
  body: string;
}

/** An answer at rest. Its body is sealed, because it may hold a secret: an API key, a signing secret, a download token. */
export interface SealedAnswer {
  status: number;
  sealed: Buffer;
}

/** Seals an answer for the request with this id. */
export const sealAnswer = (sealing: Sealing, id: string, { status, body }: StoredAnswer): SealedAnswer => ({
  status,
  sealed: sealing.seal(body, contextOf(id)),
});

/** Opens the answer of a request. Throws SERVICE_UNAVAILABLE when its key is not at hand. */
export function openAnswer(sealing: Sealing, id: string, { status, sealed }: SealedAnswer): StoredAnswer {
  const body = sealing.open(sealed, contextOf(id));
  if (body !== undefined) return { status, body };
  throw fail('SERVICE_UNAVAILABLE', 'The stored response cannot be decrypted: its key is not in ENCRYPTION_KEYS.');
}

const contextOf = (id: string): string => `idempotent request ${id}`;

/** A process that runs requests. */
export interface RequestHolder {
  /** ULID of the process. */
  process: string;
  /** Identifies the process and its predecessors; null if nothing does. */
  instance: string | null;
}

/** What is known of the request that came with an Idempotency-Key. */
export interface IdempotentRequest {
  /** `<workspace id>/<SHA-256 of the key>` */
  _id: string;
  state: 'running' | 'released' | 'done';
  /** ULID made at the first claim and kept for every later one: what makes a repetition find its first effect. */
  operationId: string;
  /** SHA-256 over method, path, query and body. */
  fingerprint: Buffer;
  answer: SealedAnswer | null;
  /** ULID of the last attempt. */
  claim: string;
  /** Advanced while the attempt is running. */
  beat: number;
  /** The process that runs the last attempt. */
  holder: RequestHolder;
  /** Forgotten from then on. */
  expireAt: Date;
}

/** Lifetime of a claim that is not renewed, milliseconds. */
export const LEASE_MS = 3_000;
export const KEPT_MS = 24 * 3_600_000;

const FINGERPRINT_BYTES = 32;

/** The id of a request. Throws VALIDATION_ERROR for a key that is not 1 to 255 printable ASCII characters. */
export function requestId(workspaceId: string, key: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw fail('VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 printable characters.', 'Idempotency-Key');
  }
  return `${workspaceId}/${createHash('sha256').update(key).digest('hex')}`;
}

/** Refuses a holder without an id. */
export function assertHolder(holder: RequestHolder | null): asserts holder is RequestHolder {
  if (holder?.process) return;
  throw fail('VALIDATION_ERROR', 'process is required.', 'process');
}

/** Refuses a fingerprint that is not a SHA-256. */
export function assertFingerprint(fingerprint: Buffer): void {
  if (fingerprint.length === FINGERPRINT_BYTES) return;
  throw fail('VALIDATION_ERROR', 'fingerprint must be a SHA-256 (32 bytes).', 'fingerprint');
}

/** What a request that was found means for one that comes now with the same key. */
export function verdict(
  found: IdempotentRequest,
  fingerprint: Buffer,
  now: Date,
): 'mismatch' | 'replay' | 'in_progress' | 'released' | 'forgotten' {
  if (found.state !== 'running' && found.expireAt <= now) return 'forgotten';
  if (!found.fingerprint.equals(fingerprint)) return 'mismatch';
  if (found.state === 'done') return 'replay';
  return found.state === 'running' ? 'in_progress' : 'released';
}
