import type { Principal } from '@tautan/kit';
import { readRange } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import type { GetLinkStatsInput } from './get-link-stats.js';
import { resolveLink } from '../../links/steps/resolve-link.js';
import { subjectStats, type SubjectStats } from '../steps/subject-stats.js';

type Deps = Pick<ApiDeps, 'store' | 'stats' | 'transact' | 'signal' | 'now'>;

/** Returns the statistics of a link for an export, and emits `export.performed`. Throws like `getLinkStats`. */
export async function exportLinkStats(deps: Deps, by: Principal, input: GetLinkStatsInput): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const { _id, slug } = await resolveLink(deps, by.workspaceId, input);
  const stats = await subjectStats(deps, _id, range, input);
  const target = { type: 'link', id: _id, label: slug };
  await deps.transact(by, async (tx) => tx.emit({ type: 'export.performed', target, data: { what: 'statistics' } }));
  return stats;
}
