import { TautanError } from './error.js';
import type { Page } from './types.js';

/** A list, read page by page while it is iterated over. */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  /** Iterates over all entries. The next page is requested after the entries of the previous one have been consumed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Iterates over the pages. A page can be empty although others follow. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      if (page.nextCursor !== undefined && page.nextCursor === cursor)
        throw new TautanError(
          'UNEXPECTED_RESPONSE',
          'The list does not advance: nextCursor repeats the cursor of the request.',
        );
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** Returns the first `limit` entries as an array, all of them by default. */
  async toArray(limit = Infinity): Promise<T[]> {
    const entries: T[] = [];
    if (limit <= 0) return entries;
    for await (const entry of this) if (entries.push(entry) >= limit) break;
    return entries;
  }
}
