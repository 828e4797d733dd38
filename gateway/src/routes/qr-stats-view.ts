import type { LinkStatsRecord, QrCodeStatsRecord } from '@tautan/proto';

const scansOf = (list: LinkStatsRecord['countries']) => list.map(({ key, clicks }) => ({ key, scans: clicks }));

/** Converts the statistics of a QR code from the form of link statistics: clicks become scans. */
export const qrCodeStatsOf = ({
  from,
  to,
  granularity,
  tz,
  totals,
  timeSeries,
  ...lists
}: LinkStatsRecord): QrCodeStatsRecord => ({
  from,
  to,
  granularity,
  tz,
  totals: { scans: totals.clicks, uniques: totals.uniques, bots: totals.bots },
  timeSeries: timeSeries.map(({ time, clicks, uniques }) => ({ time, scans: clicks, uniques })),
  countries: scansOf(lists.countries),
  cities: scansOf(lists.cities),
  devices: scansOf(lists.devices),
  browsers: scansOf(lists.browsers),
  os: scansOf(lists.os),
  referrers: scansOf(lists.referrers),
  sources: scansOf(lists.sources),
});
