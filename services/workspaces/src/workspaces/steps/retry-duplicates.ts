import { isDuplicateKey } from '@tautan/kit/mongo';

const MAX_RACES = 10;

/**
 * Retries a transaction after a duplicate key error, because the next attempt finds the existing document. `run`
 * receives the number of the attempt, from 0.
 */
export async function retryDuplicates<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  for (let races = 0; ; races += 1) {
    try {
      return await run(races);
    } catch (error) {
      if (!isDuplicateKey(error) || races === MAX_RACES) throw error;
    }
  }
}
