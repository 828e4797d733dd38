import { Option } from 'commander';
import type { Page } from '@tautan/sdk';
import { wholeNumber } from '../command.js';
import type { Terminal } from '../output/terminal.js';
import { count } from '../output/text.js';

/** Maximum page size of most lists of the API. */
export const MAX_PAGE = 200;

export interface PageOptions {
  limit: number;
  all?: boolean | undefined;
}

/** Returns the options of a paginated list. `everything` describes --all. */
export const pageOptions = (everything: string): Option[] => [
  wholeNumber('--limit <count>', 'maximum number of records', 1, 1_000_000).default(50),
  new Option('--all', everything),
];

/** Reads pages until there are enough records. Pages before the last one can be short or empty. */
export async function readPages<T>(
  read: (query: { limit: number; cursor?: string | undefined }) => Promise<Page<T>>,
  { limit, all }: PageOptions,
): Promise<{ records: T[]; hasMore: boolean }> {
  const records: T[] = [];
  const wanted = all ? Infinity : limit;
  let cursor: string | undefined;
  do {
    // A cursor does not depend on the page size, so the last request asks only for the missing records.
    const size = Math.min(MAX_PAGE, wanted - records.length);
    const page = await read({ limit: size, cursor });
    records.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined && records.length < wanted);
  return { records: all ? records : records.slice(0, limit), hasMore: cursor !== undefined };
}

/** Prints a note that there are more records. */
export function noteMore({ note, noteStyle }: Terminal, printed: number): void {
  const shown = printed === 1 ? 'Only the first is shown' : `Only the first ${count(printed)} are shown`;
  note(noteStyle.dim(`\n${shown}. Use --limit or --all for more.`));
}
