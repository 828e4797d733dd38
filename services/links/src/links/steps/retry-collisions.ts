import { fail } from '@tautan/kit';
import { collisionOf, type KeyKind } from '../../store/index.js';

const ATTEMPTS = 8;

/**
 * Makes a change, and retries it if it fails because another document already has the same unique key, for example
 * because a generated slug is in use or a tag was created concurrently. The next attempt generates another slug, and
 * finds the tag that now exists. `resolve` receives the kind of the key; it may throw or return a final result to
 * prevent a retry. Throws SERVICE_UNAVAILABLE after 8 attempts.
 */
export async function retryCollisions<T>(
  change: () => Promise<T>,
  resolve: (kind: KeyKind) => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const kind = collisionOf(error);
      if (!kind) throw error;
      const final = await resolve(kind);
      if (final !== undefined) return final;
    }
  }
  throw fail('SERVICE_UNAVAILABLE', 'Too many concurrent changes. Try again.');
}
