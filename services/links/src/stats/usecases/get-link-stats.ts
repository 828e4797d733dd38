import type { Principal } from '@tautan/kit';
import { readRange, type RangeInput, type StatsRange } from '../domain/range.js';
import { linkDimensions } from '../domain/tally.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { resolveLink } from '../../links/usecases/get-link.js';
import { StatsFigures } from '../steps/stats-figures.js';

type Deps = Pick<ApiDeps, 'store' | 'stats' | 'now'>;

export interface GetLinkStatsInput extends RangeInput {
  /** An id when it has the form of one, else a slug. */
  idOrSlug: string;
  domain?: string | undefined;
}

interface KeyClicks {
  key: string;
  clicks: number;
}

/** What was counted of a link or a QR code. */
export interface SubjectStats extends Record<(typeof linkDimensions)[number], KeyClicks[]> {
  from: string;
  to: string;
  granularity: string;
  tz: string;
  totals: { clicks: number; uniques: number; bots: number };
  timeSeries: { time: string; clicks: number; uniques: number }[];
}

/** Longest list of keys in an answer. */
export const MAX_KEYS = 50;

/**
 * The clicks of a link over a range of time. Throws VALIDATION_ERROR naming what is wrong with the range, NOT_FOUND, or
 * FORBIDDEN for another workspace's link.
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

/** Returns the same for an export, and emits `export.performed`. Throws as `getLinkStats` does. */
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

/** What was counted of a link or a QR code over a range of time. */
export async function subjectStats(
  { stats }: Pick<Deps, 'stats'>,
  id: string,
  range: StatsRange,
): Promise<SubjectStats> {
  const figures = await StatsFigures.read(stats, 'link', id, range);
  const { total } = figures;
  const keys = Object.fromEntries(linkDimensions.map((each) => [each, total.by.get(each)!.top(MAX_KEYS)]));
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    granularity: range.granularity,
    tz: range.tz,
    totals: { clicks: total.clicks, uniques: figures.uniques, bots: total.bots },
    timeSeries: figures.series(),
    ...(keys as Record<(typeof linkDimensions)[number], KeyClicks[]>),
  };
}
