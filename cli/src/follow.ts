import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@tautan/sdk';
import type { Context } from './context.js';
import { isCliError } from './errors.js';

const INTERVAL_MS = 2_000;
/** Maximum number of handled records whose ids are remembered. */
const MAX_REMEMBERED = 10_000;

interface Entry {
  id: string;
  createdAt: string;
}

/**
 * Passes to `handle` each record that, by the service's clock, is created after the call: oldest first and exactly
 * once. `read` returns a page of the list, newest first. Runs until the process ends. While the service is
 * unavailable or rate-limits calls, repeats failed calls of `handle` and of `read`, except the first read. Throws all
 * other errors.
 */
export async function followList<T extends Entry>(
  { terminal: { note, noteStyle } }: Context,
  read: (cursor?: string) => Promise<Page<T>>,
  handle: (record: T) => void | Promise<void>,
): Promise<never> {
  const { unseen, markSeen } = await newRecords(read);
  for (let isRetrying = false; ; await sleep(INTERVAL_MS)) {
    try {
      for (const record of await unseen()) {
        await handle(record);
        markSeen(record);
      }
      isRetrying = false;
    } catch (error) {
      if (!isCliError(error) || !isTemporary(error.failure, error.code)) throw error;
      if (!isRetrying) note(`${noteStyle.yellow('!')} ${error.message} Retrying.`);
      isRetrying = true;
    }
  }
}

const isTemporary = (failure: string, code: string | undefined) =>
  failure === 'unavailable' || code === 'TOO_MANY_REQUESTS';

async function newRecords<T extends Entry>(read: (cursor?: string) => Promise<Page<T>>) {
  const { data: before } = await read();
  const seen = new Set(before.map(({ id }) => id));
  const start =
    before
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1) ?? '';
  const unseen = async (): Promise<T[]> => {
    const found: T[] = [];
    let cursor: string | undefined;
    do {
      const { data, nextCursor } = await read(cursor);
      const fresh = data.filter(({ id, createdAt }) => createdAt >= start && !seen.has(id));
      found.push(...fresh);
      // If a page has no new records, neither do older pages: their records were handled or predate the start.
      cursor = fresh.length > 0 ? nextCursor : undefined;
    } while (cursor !== undefined);
    return found.reverse();
  };
  const markSeen = ({ id }: T): void => {
    seen.add(id);
    if (seen.size > MAX_REMEMBERED) seen.delete(seen.values().next().value!);
  };
  return { unseen, markSeen };
}
