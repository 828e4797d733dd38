import type { ApiDeps } from '../../usecase-deps.js';
import type { RangeInput, StatsRange } from '../domain/range.js';
import { linkDimensions } from '../domain/tally.js';
import { StatsFigures, type StatsPoints } from './stats-figures.js';

interface KeyClicks {
  key: string;
  clicks: number;
}

/** Statistics of a link or QR code. */
export type SubjectStats = StatsPoints & SubjectFigures;

interface SubjectFigures extends Record<(typeof linkDimensions)[number], KeyClicks[]> {
  from: string;
  to: string;
  granularity: string;
  tz: string;
  totals: { clicks: number; uniques: number; bots: number };
}

/** Maximum number of keys per dimension in a response. */
export const MAX_KEYS = 50;

/** Returns the statistics of a link or QR code in a time range. */
export async function subjectStats(
  { stats, signal }: Pick<ApiDeps, 'stats' | 'signal'>,
  id: string,
  range: StatsRange,
  { packedSeries = false }: Pick<RangeInput, 'packedSeries'>,
): Promise<SubjectStats> {
  const figures = await StatsFigures.read(stats, 'link', id, range, signal);
  const { total } = figures;
  const keys = Object.fromEntries(linkDimensions.map((each) => [each, total.by.get(each)!.top(MAX_KEYS)]));
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    granularity: range.granularity,
    tz: range.tz,
    totals: { clicks: total.clicks, uniques: figures.uniques, bots: total.bots },
    ...figures.points(packedSeries),
    ...(keys as Record<(typeof linkDimensions)[number], KeyClicks[]>),
  };
}
