import { fail, type Principal } from '@tautan/kit';
import { checkRows, refuseBeyondLimit, type ImportRowInput, type Row } from '../steps/import/check-rows.js';
import { writeRows } from '../steps/import/write-rows.js';
import type { CreationDeps } from '../steps/creation/create-links.js';
import type { ApiDeps } from '../../usecase-deps.js';

type Deps = CreationDeps & Pick<ApiDeps, 'inOrder' | 'signal' | 'rules' | 'servedHosts'>;

const MAX_ROWS = 1_000;

export interface ImportInput {
  dryRun: boolean;
  links: ImportRowInput[];
  /** ULID in lower case. A repeated call with the same id creates only the missing rows, and reports the others as created too. */
  operationId?: string | undefined;
}

export interface ImportOutcome {
  dryRun: boolean;
  total: number;
  created: number;
  failed: number;
  /** In the order of the rows. */
  results: ImportResult[];
}

export interface ImportResult {
  index: number;
  status: 'created' | 'valid' | 'failed';
  id?: string;
  slug?: string;
  /** `field` is relative to the row: `url`, not `links.3.url`. */
  error?: { code: string; message: string; field?: string };
}

/**
 * Creates up to 1,000 links, each row independently. With `dryRun`, runs all checks but writes nothing. Rows beyond the
 * plan's limit fail individually. Throws VALIDATION_ERROR naming `links` if there are no or too many rows, or
 * `operationId` if it is not a ULID in lower case, and TIMEOUT if the caller's deadline passes; links created before then remain.
 */
export async function importLinks(deps: Deps, by: Principal, input: ImportInput): Promise<ImportOutcome> {
  const { dryRun, links } = input;
  if (links.length < 1 || links.length > MAX_ROWS) {
    throw fail('VALIDATION_ERROR', `links must have 1 to ${MAX_ROWS} rows.`, 'links');
  }
  const rows = await checkRows(deps, by.workspaceId, links, input.operationId);
  if (dryRun) await refuseBeyondLimit(deps, by, rows);
  else await writeRows(deps, by, rows, input.operationId !== undefined);
  const results = rows.map(resultOf);
  const countOf = (status: ImportResult['status']) => results.filter((result) => result.status === status).length;
  return { dryRun, total: rows.length, created: countOf('created'), failed: countOf('failed'), results };
}

function resultOf({ index, id, draft, error, created }: Row): ImportResult {
  if (error) return { index, status: 'failed', error };
  if (created) return { index, status: 'created', id, slug: created.slug };
  return { index, status: 'valid', ...(draft?.slug !== undefined && { slug: draft.slug }) };
}
