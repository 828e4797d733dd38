import type { Principal } from '@tautan/kit';
import { readRange, type RangeInput } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { resolveLink } from '../../links/steps/resolve-link.js';
import { subjectStats, type SubjectStats } from '../steps/subject-stats.js';

type Deps = Pick<ApiDeps, 'store' | 'stats' | 'now'>;

export interface GetLinkStatsInput extends RangeInput {
  /** An id if it has the format of one, else a slug. */
  idOrSlug: string;
  domain?: string | undefined;
}

/**
 * Returns the statistics of a link in a time range. Throws VALIDATION_ERROR naming the invalid field of the range,
 * NOT_FOUND, or FORBIDDEN for a link of another workspace.
 */
export async function getLinkStats(
  deps: Deps,
  { workspaceId }: Principal,
  input: GetLinkStatsInput,
): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const link = await resolveLink(deps, workspaceId, input);
  return subjectStats(deps, link._id, range);
}

/** Returns the same for an export, and emits `export.performed`. Throws like `getLinkStats`. */
export async function exportLinkStats(
  deps: Deps & Pick<ApiDeps, 'transact'>,
  by: Principal,
  input: GetLinkStatsInput,
): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const { _id, slug } = await resolveLink(deps, by.workspaceId, input);
  const stats = await subjectStats(deps, _id, range);
  const target = { type: 'link', id: _id, label: slug };
  await deps.transact(by, async (tx) => tx.emit({ type: 'export.performed', target, data: { what: 'statistics' } }));
  return stats;
}
