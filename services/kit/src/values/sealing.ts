import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;
const VERSION = 1;

const ZEROS = Buffer.alloc(KEY_BYTES);
/** 32 bytes in base64 or base64url (RFC 4648), with or without padding. */
const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Settings of a process that stores encrypted secrets. */
export const sealingSettings = {
  /**
   * Comma-separated encryption keys, each 32 random bytes in base64 (`openssl rand -base64 32`). The first key
   * encrypts; all keys decrypt. See docs/operations/secrets.md for rotation.
   */
  ENCRYPTION_KEYS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((keys) => keys.every((key) => KEY.test(key)), 'must be keys of 32 random bytes each, in base64')
    .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
    .refine((keys) => !keys.some((key) => key.equals(ZEROS)), 'must not be all zeros'),
};

/**
 * Encrypts secrets for storage with AES-256-GCM (NIST SP 800-38D) under the first key. The `context` identifies the
 * record that a secret belongs to. It is authenticated, so that a stored secret cannot be moved to another record.
 */
export class Sealing {
  readonly #keys: { id: Buffer; key: Buffer }[];

  /** `keys` are 32 bytes each, at least one; the first encrypts. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((key) => ({ id: createHash('sha256').update(key).digest().subarray(0, ID_BYTES), key }));
  }

  /** Returns version, key id, nonce, tag and ciphertext in one buffer. */
  seal(text: string, context: string): Buffer {
    const { id, key } = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), body]);
  }

  /** Returns whether a buffer was encrypted under the first key. */
  isCurrent(sealed: Buffer): boolean {
    return sealed.subarray(1, 1 + ID_BYTES).equals(this.#keys[0]!.id);
  }

  /** Returns the secret; undefined if the buffer is damaged, has another context, or its key is missing. */
  open(sealed: Buffer, context: string): string | undefined {
    let at = 1;
    const take = (bytes: number): Buffer => sealed.subarray(at, (at += bytes));
    const id = take(ID_BYTES);
    const known = this.#keys.find((each) => each.id.equals(id));
    if (sealed[0] !== VERSION || !known || sealed.length < at + NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', known.key, take(NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(take(TAG_BYTES));
    try {
      return decipher.update(sealed.subarray(at), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
