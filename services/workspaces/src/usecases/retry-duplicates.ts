import { isDuplicateKey } from '@tautan/kit/mongo';

const MOST_RACES = 3;

/** Runs a transaction again when another replica has just made what it was about to make: the next look finds that. */
export async function retryDuplicates<T>(run: () => Promise<T>): Promise<T> {
  for (let races = 0; ; races += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isDuplicateKey(error) || races === MOST_RACES) throw error;
    }
  }
}
