import type { Tautan } from '@tautan/sdk';
import type { ParsedImport } from '@tautan/sdk/import-formats';

/** A row that was or would be refused. */
export interface RowProblem {
  line: number;
  field: string | undefined;
  message: string;
}

export interface ImportProgress {
  /** Rows that the API has judged so far. */
  done: number;
  /** Rows that were or would be created. */
  accepted: number;
  problems: readonly RowProblem[];
}

export const noProgress: ImportProgress = { done: 0, accepted: 0, problems: [] };

/** Rows of a request. The API accepts 1,000; fewer show more progress. */
const BATCH_SIZE = 500;

/**
 * Imports rows, or checks them if `dryRun`. Starts after the rows that `from` has done, so that a run that failed can be continued.
 * Throws the error of the request that failed; `onProgress` has received what was done before it.
 */
export async function runImport(
  api: Tautan,
  rows: ParsedImport['rows'],
  { dryRun, from, onProgress }: { dryRun: boolean; from: ImportProgress; onProgress: (now: ImportProgress) => void },
): Promise<ImportProgress> {
  let now = from;
  while (now.done < rows.length) {
    const batch = rows.slice(now.done, now.done + BATCH_SIZE);
    const { results } = await api.post('/links/import', { body: { dryRun, links: batch.map(({ item }) => item) } });
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

// Spreadsheets would run a cell that begins like a formula.
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;

/** Returns problems as CSV, sorted by line. */
export const problemsCsv = (problems: readonly RowProblem[]): string =>
  [
    'line,field,message',
    ...problems
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, field, message }) => [line, cell(field ?? ''), cell(message)].join(',')),
  ].join('\r\n');
