import {
  granularities,
  type LinkStatsRecord,
  type SubjectStatsMessage,
  type WorkspaceStatsMessage,
  type WorkspaceStatsRecord,
} from '@tautan/proto';
import { isoTimes } from '../iso-times.js';
import { wireValue } from './wire-fields.js';

type KeyClicksList = LinkStatsRecord['countries'];
const clicksByKey = (list: KeyClicksList): KeyClicksList => list.map(({ key, clicks }) => ({ key, clicks }));

/** Returns the points of a time series. Earlier versions of the link service send only `timeSeries`. */
function pointsOf({
  series,
  timeSeries,
}: Pick<SubjectStatsMessage, 'series' | 'timeSeries'>): LinkStatsRecord['timeSeries'] {
  if (!series) return timeSeries.map(({ time, clicks, uniques }) => ({ time, clicks, uniques }));
  const { starts, clicks, uniques } = series;
  return isoTimes(starts).map((time, i) => ({ time, clicks: clicks[i]!, uniques: uniques[i]! }));
}

/** Returns the record of a link's statistics. Those of a QR code have the same form: its scans are the clicks. */
export const linkStatsView = ({
  from,
  to,
  granularity,
  tz,
  totals,
  ...stats
}: SubjectStatsMessage): LinkStatsRecord => ({
  from,
  to,
  granularity: wireValue(granularities, 'granularity', granularity),
  tz,
  totals: { clicks: totals?.clicks ?? 0, uniques: totals?.uniques ?? 0, bots: totals?.bots ?? 0 },
  timeSeries: pointsOf(stats),
  countries: clicksByKey(stats.countries),
  cities: clicksByKey(stats.cities),
  devices: clicksByKey(stats.devices),
  browsers: clicksByKey(stats.browsers),
  os: clicksByKey(stats.os),
  referrers: clicksByKey(stats.referrers),
  sources: clicksByKey(stats.sources),
});

/** Returns the record of a workspace's statistics. */
export const workspaceStatsView = ({ from, to, totals, ...stats }: WorkspaceStatsMessage): WorkspaceStatsRecord => ({
  from,
  to,
  totals: {
    links: totals?.links ?? 0,
    qrCodes: totals?.qrCodes ?? 0,
    clicks: totals?.clicks ?? 0,
    scans: totals?.scans ?? 0,
    uniques: totals?.uniques ?? 0,
    bots: totals?.bots ?? 0,
  },
  timeSeries: pointsOf(stats),
  topLinks: stats.topLinks.map(({ id, slug, clicks }) => ({ id, slug, clicks })),
  countries: clicksByKey(stats.countries),
  devices: clicksByKey(stats.devices),
  referrers: clicksByKey(stats.referrers),
});
