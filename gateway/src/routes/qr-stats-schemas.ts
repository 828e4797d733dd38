import { z } from 'zod';
import { count, time } from './fields.js';
import { linkStats, linkStatsExample, type LinkStats } from './stats-schemas.js';

const scans = count('Scans by people.', 42);
const { uniques, bots } = linkStats.shape.totals.shape;

const keyScans = z
  .object({
    key: z.string().meta({ description: 'What the scans have in common.', examples: ['ID'] }),
    scans,
  })
  .meta({ id: 'KeyScans', description: 'Scans that have something in common.' });

const top = (what: string) => z.array(keyScans).meta({ description: `${what} At most 50, most scans first.` });

/** The statistics of a QR code: a link's, of scans. */
export const qrStats = z
  .object({
    from: linkStats.shape.from,
    to: linkStats.shape.to,
    granularity: linkStats.shape.granularity,
    tz: linkStats.shape.tz,
    totals: z.object({ scans, uniques, bots }).meta({ description: 'Over the whole range.' }),
    timeSeries: z
      .array(
        z
          .object({ time: time('When the hour, day or month begins.'), scans, uniques })
          .meta({ id: 'ScansPoint', description: 'What was scanned in an hour, a day or a month.' }),
      )
      .meta({ description: 'The whole range without holes, oldest first.' }),
    countries: top('Country codes (ISO 3166-1 alpha-2).'),
    cities: top('Cities, where a database of them is configured.'),
    devices: top('desktop, mobile, tablet or other.'),
    browsers: top('Names of browsers.'),
    os: top('Names of operating systems.'),
    referrers: top('Hosts that visitors came from, or `direct`.'),
    sources: top('`qr`.'),
  })
  .meta({ id: 'QrCodeStats', description: 'What was counted of a QR code over a range of time.' });
export type QrStats = z.infer<typeof qrStats>;

const named = (list: LinkStats['countries']) => list.map(({ key, clicks }) => ({ key, scans: clicks }));

/** Statistics of clicks as those of scans. */
export const qrStatsOf = ({ from, to, granularity, tz, totals, timeSeries, ...lists }: LinkStats): QrStats => ({
  from,
  to,
  granularity,
  tz,
  totals: { scans: totals.clicks, uniques: totals.uniques, bots: totals.bots },
  timeSeries: timeSeries.map(({ time, clicks, uniques }) => ({ time, scans: clicks, uniques })),
  countries: named(lists.countries),
  cities: named(lists.cities),
  devices: named(lists.devices),
  browsers: named(lists.browsers),
  os: named(lists.os),
  referrers: named(lists.referrers),
  sources: named(lists.sources),
});

export const qrStatsExample: QrStats = qrStatsOf({ ...linkStatsExample, sources: [{ key: 'qr', clicks: 42 }] });
