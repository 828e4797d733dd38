import type { LinkStats, QrCodeStats, WorkspaceStats } from '../api/records.js';
import type { ShownStats } from './stats.js';

type Entries = { key: string; count: number }[];

const clickEntries = (list: { key: string; clicks: number }[]): Entries =>
  list.map(({ key, clicks }) => ({ key, count: clicks }));
const scanEntries = (list: { key: string; scans: number }[]): Entries =>
  list.map(({ key, scans }) => ({ key, count: scans }));

const titles = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;

/** Returns the statistics of a link for the terminal. */
export const linkStatsOf = ({ from, to, tz, totals, timeSeries, ...lists }: LinkStats): ShownStats => ({
  from,
  to,
  tz,
  totals: [
    ['click', totals.clicks],
    ['visitor', totals.uniques],
    ['bot', totals.bots],
  ],
  series: timeSeries.map(({ time, clicks }) => ({ time, count: clicks })),
  lists: titles.map((title) => [title, clickEntries(lists[title])]),
});

/** Returns the statistics of a QR code for the terminal. */
export const qrStatsOf = ({ from, to, tz, totals, timeSeries, ...lists }: QrCodeStats): ShownStats => ({
  from,
  to,
  tz,
  totals: [
    ['scan', totals.scans],
    ['visitor', totals.uniques],
    ['bot', totals.bots],
  ],
  series: timeSeries.map(({ time, scans }) => ({ time, count: scans })),
  lists: titles.filter((title) => title !== 'sources').map((title) => [title, scanEntries(lists[title])]),
});

/** Returns the statistics of a workspace for the terminal. `tz` is the requested time zone. */
export const workspaceStatsOf = (stats: WorkspaceStats, tz = 'UTC'): ShownStats => {
  const { from, to, totals, timeSeries, topLinks, countries, devices, referrers } = stats;
  return {
    from,
    to,
    tz,
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
