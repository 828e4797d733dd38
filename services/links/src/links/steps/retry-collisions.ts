import { fail } from '@tautan/kit';
import { collisionOf } from '../../store/index.js';

type Claim = NonNullable<ReturnType<typeof collisionOf>>;

const ATTEMPTS = 8;

/**
 * Runs a change again when it collided with another one in a way that `answer` has no final word on: a tag that two made
 * at once, a generated slug that exists. `answer` throws or resolves to that word, or resolves to undefined, as it does by
 * default: the next try generates another slug, and finds the tag or what a repetition of the request has just made.
 */
export async function retryCollisions<T>(
  change: () => Promise<T>,
  answer: (claim: Claim) => Promise<T | undefined> = async () => undefined,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const claim = collisionOf(error);
      if (!claim) throw error;
      const final = await answer(claim);
      if (final !== undefined) return final;
    }
  }
  throw fail('SERVICE_UNAVAILABLE', 'The change met others; try again.');
}
