import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a credential: what it is kept under. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * The keys that things are kept under. What was found by something else than its id (a session by its uid, a device code
 * by its user code) has no id that anybody could know; it goes by a reference instead, which names its key and is signed,
 * so that nobody makes one from what is on disk.
 */
export class StorageKeys {
  constructor(private readonly secret: string) {}

  referenceTo(key: string): string {
    return `${key}.${this.#signature(key)}`;
  }

  /** The key of an id or a reference. */
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
