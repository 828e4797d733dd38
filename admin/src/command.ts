import { InvalidArgumentError, Option, type Argument } from 'commander';
import type { operatorServices } from '@tautan/proto/rpc';
import type { Service } from './service.js';

type CallOf<D> = D extends Record<infer M, unknown> ? M & string : never;
/** Names of the RPCs of all operator services. */
export type OperatorCall = CallOf<(typeof operatorServices)[keyof typeof operatorServices]>;

/** Dependencies of a command. */
export interface Context {
  service: Service;
  /** Writes a progress line to standard error. */
  note: (line: string) => void;
}

/** One command: an entry of the list `commands` in program.ts, or of a group in that list. */
export interface CommandRow<Data = unknown, Options = Record<string, unknown>> {
  name: string;
  summary: string;
  args?: Argument[];
  options?: Option[];
  /** Example command lines, without the leading `tautan-admin`. */
  examples?: string[];
  /** The RPC that the command calls. */
  rpc: OperatorCall;
  /** A workload of the chart that serves the RPC: `<name>` in `kubectl exec deploy/tautan-<name>`. */
  hintWorkload: string;
  run(context: Context, options: Options, ...args: unknown[]): Promise<Data>;
  /** Returns the output without --json. */
  text: (data: Data) => string;
  /** Returns the output with --quiet. If absent, the command has no --quiet option. */
  quiet?: (data: Data) => string;
  /** Returns whether a check failed, which results in exit code 1. */
  failed?: (data: Data) => boolean;
}

/** A group of subcommands. */
export interface CommandGroup {
  name: string;
  summary: string;
  commands: CommandRow[];
}

/** Declares a command with typed data and options. */
export const command = <Data, Options = object>(row: CommandRow<Data, Options>): CommandRow =>
  row as unknown as CommandRow;

const MAX_PAGE = 200;

/** Options of a paginated list. */
export interface PageOptions {
  limit: number;
  after?: string;
  all?: boolean;
}

export const pageOptions = (): Option[] => [
  new Option('--limit <count>', 'maximum number of entries').argParser(wholeNumber).default(50),
  new Option('--after <id>', 'continue after the entry with this id'),
  new Option('--all', 'list all entries'),
];

function wholeNumber(text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError('It must be an integer from 1 to 9999999.');
}

/** Reads pages until the limit is reached or the list ends. */
export async function readPages<T extends { id: string }>(
  { limit, all, after = '' }: PageOptions,
  read: (page: { after: string; limit: number }) => Promise<{ entries: T[]; hasMore: boolean }>,
): Promise<{ entries: T[]; hasMore: boolean }> {
  const entries: T[] = [];
  const wanted = all ? Infinity : limit;
  for (let hasMore = true; ;) {
    const page = await read({ after: entries.at(-1)?.id ?? after, limit: Math.min(MAX_PAGE, wanted - entries.length) });
    entries.push(...page.entries);
    hasMore = page.hasMore;
    if (!hasMore || entries.length >= wanted) return { entries, hasMore };
  }
}

/** Returns the note to print below a list that has more entries. */
export const moreEntriesNote = (hasMore: boolean, last: { id: string } | undefined): string =>
  hasMore && last
    ? `\n\nThere are more entries. Use --after ${last.id} to continue the list, or --all to show all entries.`
    : '';
