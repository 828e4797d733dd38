import type { SubjectStatsMessage, WorkspaceStatsMessage } from '@tautan/proto';
import type { LinkStats, WorkspaceStats } from './stats-schemas.js';

type Keys = LinkStats['countries'];
const keys = (list: Keys): Keys => list.map(({ key, clicks }) => ({ key, clicks }));

const series = (points: LinkStats['timeSeries']): LinkStats['timeSeries'] =>
  points.map(({ time, clicks, uniques }) => ({ time, clicks, uniques }));

/** The statistics of a link as the API shows them. */
export const linkStatsView = ({ from, to, granularity, tz, totals, ...stats }: SubjectStatsMessage): LinkStats => ({
  from,
  to,
  granularity: granularity as LinkStats['granularity'],
  tz,
  totals: { clicks: totals?.clicks ?? 0, uniques: totals?.uniques ?? 0, bots: totals?.bots ?? 0 },
  timeSeries: series(stats.timeSeries),
  countries: keys(stats.countries),
  cities: keys(stats.cities),
  devices: keys(stats.devices),
  browsers: keys(stats.browsers),
  os: keys(stats.os),
  referrers: keys(stats.referrers),
  sources: keys(stats.sources),
});

/** The statistics of a workspace as the API shows them. */
export const workspaceStatsView = ({ from, to, totals, ...stats }: WorkspaceStatsMessage): WorkspaceStats => ({
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
  timeSeries: series(stats.timeSeries),
  topLinks: stats.topLinks.map(({ id, slug, clicks }) => ({ id, slug, clicks })),
  countries: keys(stats.countries),
  devices: keys(stats.devices),
  referrers: keys(stats.referrers),
});
