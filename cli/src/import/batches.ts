import type { Api } from '../api/client.js';
import type { ImportRowResult, ImportItem, ImportResult } from '../api/records.js';
import { interruptedBatch, withRemainder } from '../errors.js';
import { onInterrupt } from '../interrupts.js';
import type { SourceRow } from './read.js';

/** Maximum rows and bytes per request. The API accepts 5 MiB. */
const BATCH_ROWS = 1_000;
const BATCH_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The combined result of several batches, with the position of each row in the source. */
export interface Imported extends Omit<ImportResult, 'results'> {
  results: (ImportRowResult & { at: string })[];
}

/** The results of the completed batches, and the error of the batch that failed, if any. */
export interface ImportOutcome {
  done: Imported;
  error?: Error;
}

interface ImportOptions {
  dryRun: boolean;
  /** Called after each batch with the number of rows processed so far. */
  progress: (rows: number) => void;
  /** Called if the process is interrupted during a batch. */
  interrupted: (outcome: ImportOutcome) => void;
}

/** Sends rows in batches. If a batch fails, stops and returns its error. */
export async function importRows(
  api: Api,
  rows: SourceRow[],
  { dryRun, progress, interrupted }: ImportOptions,
): Promise<ImportOutcome> {
  const done: Imported = { dryRun, total: 0, created: 0, failed: 0, results: [] };
  for (const batch of batches(rows)) {
    const remainder = `Rows from ${batch[0]!.at} onward`;
    const unregister = onInterrupt(() => interrupted({ done, error: interruptedBatch(remainder, 'imported') }));
    try {
      // The API validates each row and reports its errors.
      const body = { dryRun, links: batch.map(({ item }) => item as ImportItem) };
      const data = await api.post('/links/import', { body, timeoutMs: TIMEOUT_MS });
      add(done, data, batch);
    } catch (error) {
      return { done, error: withRemainder(error, remainder, 'imported') };
    } finally {
      unregister();
    }
    progress(done.total);
  }
  return { done };
}

export function* batches(rows: SourceRow[]): Iterable<SourceRow[]> {
  let batch: SourceRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row.item) ?? '') + 1;
    if (batch.length > 0 && (batch.length === BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function add(done: Imported, { total, created, failed, results }: ImportResult, batch: SourceRow[]): void {
  const offset = done.total;
  for (const row of results) done.results.push({ at: batch[row.index]!.at, ...row, index: offset + row.index });
  done.total += total;
  done.created += created;
  done.failed += failed;
}
