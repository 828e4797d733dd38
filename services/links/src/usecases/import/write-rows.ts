import { fail, type Principal, isFault } from '@tautan/kit';
import { explainMongo } from '@tautan/kit/mongo';
import { newLink, type LinkDraft } from '../../domain/new-link.js';
import { routeKey } from '../../domain/route.js';
import { generateSlug } from '../../domain/slug.js';
import { addLinks } from '../add-links.js';
import { writeLink } from '../create-link.js';
import type { ApiDeps } from '../deps.js';
import { openRows, rowError, type Row } from './check-rows.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'turns' | 'rules' | 'baseUrl' | 'invalidate' | 'now'>;
type OpenRow = Row & { draft: LinkDraft };

const ROWS_AT_ONCE = 100;

/**
 * Creates the links of all open rows, many in one transaction; where that one fails, each row has its own. Rows become
 * created or get an error. Throws TIMEOUT when `signal` is aborted before all are written.
 */
export async function writeRows(deps: Deps, by: Principal, rows: Row[], signal: AbortSignal): Promise<void> {
  const open = openRows(rows);
  for (let start = 0; start < open.length; start += ROWS_AT_ONCE) {
    const chunk = open.slice(start, start + ROWS_AT_ONCE);
    const written = await writeTogether(deps, by, chunk).catch(() => false);
    for (const row of written ? [] : chunk) {
      refuseAborted(signal);
      await writeAlone(deps, by, row);
    }
    refuseAborted(signal);
  }
}

function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw fail('TIMEOUT', 'The import was given up; rows until here are created.');
}

async function writeTogether(deps: Deps, by: Principal, rows: OpenRow[]): Promise<true> {
  const { workspaceId } = by;
  const items = rows.map(({ id, draft, createdAt }) => {
    const slug = draft.slug ?? generateSlug();
    const createdBy = { type: by.kind, id: by.id };
    const link = newLink(draft, { id, workspaceId, slug, createdBy, createdAt, updatedAt: deps.now() });
    return { link, tags: draft.tags };
  });
  const views = await deps.turns.take(workspaceId, () => deps.transact(by, (tx) => addLinks(deps, tx, items)));
  deps.invalidate(views.map(({ domain, slug }) => routeKey(domain, slug)));
  rows.forEach((row, i) => (row.created = { slug: views[i]!.slug }));
  return true;
}

async function writeAlone(deps: Deps, by: Principal, row: OpenRow): Promise<void> {
  try {
    row.created = { slug: (await writeLink(deps, by, row.draft, row.id, row.createdAt)).slug };
  } catch (error) {
    const fault = isFault(error) ? error : explainMongo(error);
    if (!fault) throw error;
    row.error = rowError(fault);
  }
}
