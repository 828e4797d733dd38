import { fail } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

type Claim = NonNullable<ReturnType<typeof collisionOf>>;

const ATTEMPTS = 8;

/**
 * Retries a change that collided with another one, such as a tag created concurrently or a generated slug in use.
 * `resolve` may throw or return a final result. If it returns undefined, as by default, the change is retried: the next
 * attempt generates another slug, and finds the tag that now exists.
 */
export async function retryCollisions<T>(
  change: () => Promise<T>,
  resolve: (claim: Claim) => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const claim = collisionOf(error);
      if (!claim) throw error;
      const final = await resolve(claim);
      if (final !== undefined) return final;
    }
  }
  throw fail('SERVICE_UNAVAILABLE', 'Too many concurrent changes. Try again.');
}
