import type { Principal } from '@tautan/kit';
import { readRange, type RangeInput } from '../domain/range.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { resolveLink } from '../../links/steps/resolve-link.js';
import { subjectStats, type SubjectStats } from '../steps/subject-stats.js';

type Deps = Pick<ApiDeps, 'store' | 'stats' | 'signal' | 'now'>;

export interface GetLinkStatsInput extends RangeInput {
  /** An id if it has the format of one, else a slug. */
  idOrSlug: string;
  domain?: string | undefined;
}

/**
 * Returns the statistics of a link in a time range. Throws NOT_FOUND, FORBIDDEN for a link of another workspace, or
 * VALIDATION_ERROR naming `domain` or the invalid field of the range.
 */
export async function getLinkStats(
  deps: Deps,
  { workspaceId }: Principal,
  input: GetLinkStatsInput,
): Promise<SubjectStats> {
  const range = readRange(input, deps.now());
  const link = await resolveLink(deps, workspaceId, input);
  return subjectStats(deps, link._id, range, input);
}
