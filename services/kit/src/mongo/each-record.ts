import type { Query } from 'mongoose';

/** Yields the results of a query. Closes the cursor even if the loop ends early, unlike mongoose's iterator. */
export async function* eachRecord<T extends object, D, H, R>(
  query: Query<T[], D, H, R, 'find'>,
  options: { batchSize?: number } = {},
): AsyncGenerator<T> {
  const cursor = query.cursor(options);
  try {
    for await (const record of cursor as AsyncIterable<T>) yield record;
  } finally {
    // Rejects only if there is no cursor because the query is invalid, which the loop reports.
    await cursor.close().catch(() => {});
  }
}
