import type { Tautan } from '@tautan/sdk';
import type { ParsedImport } from '@tautan/sdk/import-formats';

/**
 * Why a row is rejected: an error of the API, a problem in the imported text (without a code), or the name of a check
 * that this module performs.
 */
export type Reason = { code?: string; message: string } | { check: 'earlierSlug' };

type RowError = { field?: string } & Reason;

/** A row that was rejected or, in a dry run, would be. */
export type RowProblem = { line: number; field: string | undefined } & Reason;

export interface ImportProgress {
  /** Rows that the API has processed so far. */
  done: number;
  /** Rows that were imported or, in a dry run, would be. */
  accepted: number;
  problems: readonly RowProblem[];
}

export const noProgress: ImportProgress = { done: 0, accepted: 0, problems: [] };

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Rows per request. The API accepts up to 1,000; smaller batches report progress more often. */
const BATCH_SIZE = 500;

type Item = ParsedImport['rows'][number]['item'];

const isSlugTaken = (error: RowError): boolean => 'code' in error && error.code === 'SLUG_TAKEN';

/**
 * Returns a function that checks, across all requests of a dry run, what the API checks only within each request:
 * unique slugs and the plan's limit. Call the function for each row, in order, with the API's error. It returns the
 * error of the row, if any.
 */
async function checksAcrossRequests(api: Tautan): Promise<(item: Item, error?: RowError) => RowError | undefined> {
  const { links } = await api.get('/billing/usage');
  let left = Math.max(0, (links.limit ?? Infinity) - links.used);
  const addresses = new Set<string>();
  return ({ domain, slug }, error) => {
    const address = `${domain ?? ''}/${slug}`.toLowerCase();
    const mayBeTaken = !error || isSlugTaken(error);
    if (slug && mayBeTaken && addresses.has(address)) return { field: 'slug', check: 'earlierSlug' };
    if (error) return error;
    if (left === 0) return { field: 'links', code: 'PLAN_LIMIT_EXCEEDED', message: '' };
    if (slug) addresses.add(address);
    left -= 1;
    return undefined;
  };
}

interface RunOptions {
  /** Identifies the import: runs that continue it have the same key, so that the API does not apply a batch twice. */
  key: string;
  dryRun: boolean;
  from: ImportProgress;
  onProgress: (progress: ImportProgress) => void;
}

/**
 * Imports rows, or only checks them if `dryRun` is set. Starts at the progress `from`, which can be that of an earlier
 * run that failed. Throws if a request fails; `onProgress` has then received the progress up to that request.
 */
export async function runImport(
  api: Tautan,
  rows: ParsedImport['rows'],
  { key, dryRun, from, onProgress }: RunOptions,
): Promise<ImportProgress> {
  let progress = from;
  const check = dryRun ? await checksAcrossRequests(api) : undefined;
  const rejected = new Set(from.problems.map(({ line }) => line));
  for (const { line, item } of rows.slice(0, from.done)) if (!rejected.has(line)) check?.(item);
  while (progress.done < rows.length) {
    const batch = rows.slice(progress.done, progress.done + BATCH_SIZE);
    const { results } = await api.post('/links/import', {
      body: { dryRun, links: batch.map(({ item }) => item) },
      idempotencyKey: `${key}-${progress.done}`,
    });
    const errors = new Map(results.map(({ index, error }) => [index, error]));
    const problems = batch.flatMap(({ line, item }, index) => {
      const found = errors.get(index);
      const error = check ? check(item, found) : found;
      return error ? [{ ...error, line, field: error.field }] : [];
    });
    progress = {
      done: progress.done + batch.length,
      accepted: progress.accepted + batch.length - problems.length,
      problems: [...progress.problems, ...problems],
    };
    onProgress(progress);
  }
  return progress;
}

// A leading apostrophe prevents spreadsheets from evaluating a cell as a formula.
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

/** Returns problems as CSV, sorted by line, with the messages that `describe` returns. */
export const problemsCsv = (problems: readonly RowProblem[], describe: (reason: Reason) => string): string =>
  [
    'line,field,message',
    ...problems
      .toSorted((a, b) => a.line - b.line)
      .map((problem) => [problem.line, cell(problem.field ?? ''), cell(describe(problem))].join(',')),
  ].join('\r\n');
