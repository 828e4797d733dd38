import { fail, type Principal } from '@tautan/kit';
import { faultOf } from '@tautan/kit/mongo';
import type { LinkView } from '../../domain/view.js';
import { createAlone, createTogether, type CreationDeps, type LinkRequest } from '../creation/create-links.js';
import type { ApiDeps } from '../../../usecase-deps.js';
import { openRows, rowError, type Row } from './check-rows.js';

type Deps = CreationDeps & Pick<ApiDeps, 'inOrder' | 'signal'>;

const MAX_CHUNK = 100;

/**
 * Creates the links of all open rows (see `openRows`), one chunk per transaction, or one row per transaction if the
 * chunk fails. Each row is created or gets an error. `repeatable`: see `LinkRequest`. Throws TIMEOUT if the caller's
 * deadline passes before all rows are written.
 */
export async function writeRows(deps: Deps, by: Principal, rows: Row[], repeatable: boolean): Promise<void> {
  const open = openRows(rows);
  for (let start = 0; start < open.length; start += MAX_CHUNK) {
    const chunk = open.slice(start, start + MAX_CHUNK);
    const requests = chunk.map((row) => ({ by, draft: row.draft, id: row.id, repeatable, createdAt: row.createdAt }));
    const outcomes = await createChunk(deps, by.workspaceId, requests).catch(() => undefined);
    for (const [i, row] of chunk.entries()) {
      if (!outcomes) assertNotAborted(deps.signal);
      // Repeatable, because the chunk may have been created even though its commit reported an error.
      settle(row, outcomes?.[i] ?? (await createRow(deps, by.workspaceId, { ...requests[i]!, repeatable: true })));
    }
    assertNotAborted(deps.signal);
  }
}

const createChunk = (deps: Deps, workspaceId: string, requests: LinkRequest[]): Promise<(LinkView | Error)[]> =>
  deps.inOrder(workspaceId, () => createTogether(deps, requests));

/** Creates one row. Throws TIMEOUT if the caller's deadline passes while the row waits for its turn. */
const createRow = (deps: Deps, workspaceId: string, request: LinkRequest): Promise<LinkView | Error> =>
  deps
    .inOrder(workspaceId, () => createAlone(deps, request))
    .catch((error: unknown) => {
      // If the deadline has passed, `error` says that nothing was changed, but earlier rows may have been created.
      assertNotAborted(deps.signal);
      throw error;
    });

function settle(row: Row, outcome: LinkView | Error): void {
  if (!(outcome instanceof Error)) {
    row.created = { slug: outcome.slug };
    return;
  }
  const fault = faultOf(outcome);
  if (!fault) throw outcome;
  row.error = rowError(fault);
}

function assertNotAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw fail(
      'TIMEOUT',
      'The request timed out. Some of the rows may have been created. Retry with the same Idempotency-Key.',
    );
}
