import type { Tautan } from '@tautan/sdk';
import type { ParsedImport } from '@tautan/sdk/import-formats';

/** A row that was rejected or, in a dry run, would be. */
export interface RowProblem {
  line: number;
  field: string | undefined;
  message: string;
}

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

interface RunOptions {
  /** Identifies the import: runs that continue it have the same key, so that the API does not apply a batch twice. */
  key: string;
  dryRun: boolean;
  from: ImportProgress;
  onProgress: (now: ImportProgress) => void;
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
  let now = from;
  while (now.done < rows.length) {
    const batch = rows.slice(now.done, now.done + BATCH_SIZE);
    const { results } = await api.post('/links/import', {
      body: { dryRun, links: batch.map(({ item }) => item) },
      idempotencyKey: `${key}-${now.done}`,
    });
    const problems = results.flatMap(({ index, error }) =>
      error ? [{ line: batch[index]!.line, field: error.field, message: error.message }] : [],
    );
    now = {
      done: now.done + batch.length,
      accepted: now.accepted + batch.length - problems.length,
      problems: [...now.problems, ...problems],
    };
    onProgress(now);
  }
  return now;
}

// A leading apostrophe prevents spreadsheets from evaluating a cell as a formula.
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

/** Returns problems as CSV, sorted by line. */
export const problemsCsv = (problems: readonly RowProblem[]): string =>
  [
    'line,field,message',
    ...problems
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, field, message }) => [line, cell(field ?? ''), cell(message)].join(',')),
  ].join('\r\n');
