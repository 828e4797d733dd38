import type { Granularity, LinkStats, QrCodeStats, WorkspaceStats } from '../api/records.js';
import type { ShownStats } from './stats.js';

type Entries = { key: string; count: number }[];

const clickEntries = (list: { key: string; clicks: number }[]): Entries =>
  list.map(({ key, clicks }) => ({ key, count: clicks }));
const scanEntries = (list: { key: string; scans: number }[]): Entries =>
  list.map(({ key, scans }) => ({ key, count: scans }));

const titles = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;

/** Returns the statistics of a link for the terminal. */
export const linkStatsOf = ({ from, to, tz, granularity, totals, timeSeries, ...lists }: LinkStats): ShownStats => ({
  from,
  to,
  tz,
  granularity,
  totals: [
    ['click', totals.clicks],
    ['visitor', totals.uniques],
    ['bot', totals.bots],
  ],
  series: timeSeries.map(({ time, clicks }) => ({ time, count: clicks })),
  lists: titles.map((title) => [title, clickEntries(lists[title])]),
});

/** Returns the statistics of a QR code for the terminal. */
export const qrStatsOf = ({ from, to, tz, granularity, totals, timeSeries, ...lists }: QrCodeStats): ShownStats => ({
  from,
  to,
  tz,
  granularity,
  totals: [
    ['scan', totals.scans],
    ['visitor', totals.uniques],
    ['bot', totals.bots],
  ],
  series: timeSeries.map(({ time, scans }) => ({ time, count: scans })),
  lists: titles.filter((title) => title !== 'sources').map((title) => [title, scanEntries(lists[title])]),
});

const HOUR_MS = 3_600_000;

/** Returns the granularity of a series whose granularity was not requested. With one point, it is `hour`. */
function granularityOf([first, second]: WorkspaceStats['timeSeries']): Granularity {
  const length = first && second ? Date.parse(second.time) - Date.parse(first.time) : 0;
  if (length <= 2 * HOUR_MS) return 'hour';
  return length <= 2 * 24 * HOUR_MS ? 'day' : 'month';
}

/** Returns the statistics of a workspace for the terminal. `tz` and `granularity` are those of the request. */
export const workspaceStatsOf = (
  stats: WorkspaceStats,
  { tz = 'UTC', granularity = granularityOf(stats.timeSeries) }: { tz?: string; granularity?: Granularity },
): ShownStats => {
  const { from, to, totals, timeSeries, topLinks, countries, devices, referrers } = stats;
  return {
    from,
    to,
    tz,
    granularity,
    totals: [
      ['link', totals.links],
      ['QR code', totals.qrCodes],
      ['click', totals.clicks],
      ['scan', totals.scans],
      ['visitor', totals.uniques],
      ['bot', totals.bots],
    ],
    series: timeSeries.map(({ time, clicks }) => ({ time, count: clicks })),
    lists: [
      ['top links', topLinks.map(({ slug, clicks }) => ({ key: slug, count: clicks }))],
      ['countries', clickEntries(countries)],
      ['devices', clickEntries(devices)],
      ['referrers', clickEntries(referrers)],
    ],
  };
};
