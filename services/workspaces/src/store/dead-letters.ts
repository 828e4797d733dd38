import { newUlid } from '@tautan/kit';
import type { Models } from './models.js';

export type DeadLetterStore = ReturnType<typeof deadLetterStore>;

const MOST_REASON = 2_000;

export const deadLetterStore = ({ deadLetters }: Models) => ({
  /** Keeps a message that could not be applied, for a person to look at. */
  async keep(subject: string, payload: Uint8Array, error: unknown, at: Date): Promise<void> {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MOST_REASON);
    await deadLetters.insertMany([{ _id: newUlid(), subject, payload: Buffer.from(payload), reason, at }]);
  },
});
