import { faultCode } from '../errors.js';
import { explainMongo } from './connection.js';

export interface HoldOptions {
  /** How long the work is tried again, and with what pauses, milliseconds. */
  holdMs: number;
  retryMs: number;
  /** Gives up at once when it answers true. */
  stopping: () => boolean;
}

/** Whether a failure is explained by the state of the database, and so never the fault of the message at hand. */
export const isTransient = (error: unknown): boolean =>
  faultCode(error) === 'SERVICE_UNAVAILABLE' || explainMongo(error) !== undefined;

/** Tries work again while the database is away, so that it is done as soon as that is back; rejects as its last try did. */
export async function holdWhileAway<T>(work: () => Promise<T>, { holdMs, retryMs, stopping }: HoldOptions): Promise<T> {
  const giveUpAt = performance.now() + holdMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || stopping() || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
