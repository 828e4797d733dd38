import { setImmediate } from 'node:timers/promises';
import type { mongo } from 'mongoose';

/**
 * Yields the batches of a cursor. The database reads the next batch while the caller processes the current one. Closes
 * the cursor even if the loop ends early. In a transaction, the caller must not send other commands during the loop.
 */
export async function* readAhead<T extends object>(cursor: mongo.FindCursor<T>): AsyncGenerator<T[]> {
  let next = cursor.hasNext();
  try {
    while (await next) {
      const batch = cursor.readBufferedDocuments();
      next = cursor.hasNext();
      // The rejection is thrown by the next iteration, or ignored after the last one.
      next.catch(() => {});
      // The driver sends the request in a later task, so it must run before the caller occupies the event loop.
      await setImmediate();
      yield batch;
    }
  } finally {
    await next.catch(() => {});
    await cursor.close();
  }
}
