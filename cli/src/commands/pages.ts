import { Option } from 'commander';
import type { Page } from '@tautan/sdk';
import { wholeNumber } from '../command.js';
import type { Terminal } from '../output/terminal.js';
import { count } from '../output/text.js';

/** Maximum page size of the API. */
const MAX_PAGE = 200;

export interface PageOptions {
  limit: number;
  all?: boolean | undefined;
}

/** Options of a paged list; `everything` describes --all. */
export const pageOptions = (everything: string): Option[] => [
  wholeNumber('--limit <count>', 'maximum number of records', 1, 1_000_000).default(50),
  new Option('--all', everything),
];

/** Reads pages until there are enough records. A page may be short, even empty, before the end. */
export async function readPages<T>(
  read: (query: { limit: number; cursor?: string | undefined }) => Promise<Page<T>>,
  { limit, all }: PageOptions,
): Promise<{ records: T[]; hasMore: boolean }> {
  const records: T[] = [];
  const wanted = all ? Infinity : limit;
  let cursor: string | undefined;
  do {
    // Pages of one cursor may differ in size: the last request asks only for what is missing.
    const size = Math.min(MAX_PAGE, wanted - records.length);
    const page = await read({ limit: size, cursor });
    records.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined && records.length < wanted);
  return { records: all ? records : records.slice(0, limit), hasMore: cursor !== undefined };
}

/** Prints a note that the list continues beyond the records shown. */
export function noteMore({ note, noteStyle }: Terminal, shown: number): void {
  const these = shown === 1 ? 'This is the first' : `These are the first ${count(shown)}`;
  note(noteStyle.dim(`\n${these}; --limit or --all shows more.`));
}
