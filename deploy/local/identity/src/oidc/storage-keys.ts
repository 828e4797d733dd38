import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 of a credential, which is its storage key. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Derives storage keys from the ids of models. If a model was found by another property (a session by its uid, a device
 * code by its user code), its id is unknown. A reference then replaces the id. The reference is the storage key with a
 * signature, so that references cannot be derived from stored data.
 */
export class StorageKeys {
  constructor(private readonly secret: string) {}

  /** Returns a signed reference to a storage key. */
  referenceTo(key: string): string {
    return `${key}.${this.#signature(key)}`;
  }

  /** Returns the storage key of an id or a reference. */
  keyOf(id: string): string {
    const [key, signature] = id.split('.');
    if (key && signature && isEqual(signature, this.#signature(key))) return key;
    return hashOf(id);
  }

  #signature(key: string): string {
    return createHmac('sha256', this.secret).update(`reference ${key}`).digest('base64url');
  }
}

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
