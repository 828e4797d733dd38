import { createHash } from 'node:crypto';
import { fail, type Sealing } from '@tautan/kit';

/** An unencrypted response that can be replayed. It is stored as a `SealedAnswer`. */
export interface PlainAnswer {
  status: number;
  body: string;
}

/**
 * A response as it is stored. Its body is encrypted because it may contain a secret: an API key, a signing secret, a
 * download token.
 */
export interface SealedAnswer {
  status: number;
  sealed: Buffer;
}

/** Encrypts the response to the request whose record has this id. */
export const sealAnswer = (sealing: Sealing, id: string, { status, body }: PlainAnswer): SealedAnswer => ({
  status,
  sealed: sealing.seal(body, contextOf(id)),
});

/** Decrypts the response to a request. Throws SERVICE_UNAVAILABLE if its encryption key is not configured. */
export function openAnswer(sealing: Sealing, id: string, { status, sealed }: SealedAnswer): PlainAnswer {
  const body = sealing.open(sealed, contextOf(id));
  if (body !== undefined) return { status, body };
  throw fail(
    'SERVICE_UNAVAILABLE',
    'The stored response cannot be decrypted because its key is not in ENCRYPTION_KEYS.',
  );
}

const contextOf = (id: string): string => `idempotent request ${id}`;

/** A process that handles requests. */
export interface RequestHolder {
  /** ULID of the process. */
  process: string;
  /** Identifies the process across restarts; null if it has no such identity. */
  instance: string | null;
}

/** The record of a request with an Idempotency-Key. */
export interface IdempotentRequest {
  /** `<id>/<SHA-256 of the key>`: the id of the workspace, or of the user for operations without a workspace. */
  _id: string;
  state: 'running' | 'released' | 'done';
  /** ULID created by the first claim and kept by later ones, so that a retry finds what the first attempt created. */
  operationId: string;
  /** SHA-256 of method, path, query and body. */
  fingerprint: Buffer;
  answer: SealedAnswer | null;
  /** ULID of the last attempt. */
  claim: string;
  /** Incremented while the attempt is running. */
  beat: number;
  /** The process that runs the last attempt. */
  holder: RequestHolder;
  /** When the record expires. */
  expireAt: Date;
}

/** Lifetime of a claim that is not renewed, milliseconds. */
export const LEASE_MS = 3_000;
/** Lifetime of a record after its first claim, milliseconds. Starts again when its response is stored. */
export const RETENTION_MS = 24 * 3_600_000;

const FINGERPRINT_BYTES = 32;

/**
 * Returns the id of the record of a request. `scopeId` is the id of the workspace; for operations without one, the
 * gateway sends the id of the user in its place. Throws VALIDATION_ERROR for a key that is not 1 to 255 printable ASCII
 * characters.
 */
export function recordId(scopeId: string, key: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw fail('VALIDATION_ERROR', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', 'Idempotency-Key');
  }
  return `${scopeId}/${createHash('sha256').update(key).digest('hex')}`;
}

/** Throws VALIDATION_ERROR naming `process` if there is no holder or its `process` is empty. */
export function assertHolder(holder: RequestHolder | null): asserts holder is RequestHolder {
  if (holder?.process) return;
  throw fail('VALIDATION_ERROR', 'process is required.', 'process');
}

/** Throws VALIDATION_ERROR for a fingerprint that is not a SHA-256. */
export function assertFingerprint(fingerprint: Buffer): void {
  if (fingerprint.length === FINGERPRINT_BYTES) return;
  throw fail('VALIDATION_ERROR', 'fingerprint must be a SHA-256 (32 bytes).', 'fingerprint');
}

/** Returns how a new request relates to the recorded one with the same key. */
export function requestState(
  found: IdempotentRequest,
  fingerprint: Buffer,
  now: Date,
): 'mismatch' | 'replay' | 'in_progress' | 'released' | 'expired' {
  if (found.state !== 'running' && found.expireAt <= now) return 'expired';
  if (!found.fingerprint.equals(fingerprint)) return 'mismatch';
  if (found.state === 'done') return 'replay';
  return found.state === 'running' ? 'in_progress' : 'released';
}
