import { z } from 'zod';
import { choice, count, identifier, text, time } from './fields.js';
import { LINK_ID } from './link.js';

export const granularities = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/** The names of the lists in a link's statistics, in the order of the record and of exports. */
export const dimensions = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;

const keyClicks = z
  .object({ key: text('Value that the clicks have in common.', 'ID'), clicks: count('Human clicks.', 30) })
  .meta({ id: 'KeyClicks', description: 'Clicks grouped by a value.' });
const top = (description: string) =>
  z.array(keyClicks).meta({ description: `${description} At most 50, most clicks first.` });

const point = z
  .object({
    time: time('Start of the hour, day or month.'),
    clicks: count('Human clicks.', 42),
    uniques: count('Estimated number of unique visitors. A visitor is recognized within one day only.', 40),
  })
  .meta({ id: 'StatsPoint', description: 'Counts of an hour, a day or a month.' });

/** Fields of several kinds of statistics. The statistics of a workspace have neither `granularity` nor `tz`. */
export const statsFields = {
  from: time('Start of the range.'),
  to: time('End of the range, inclusive.'),
  granularity: choice(granularities, 'Interval of the time series.', 'day'),
  tz: text('Time zone that defines the days.', 'Asia/Jakarta'),
  uniques: count('Number of unique visitors, estimated to within 2%.', 40),
  bots: count('Requests by bots. No other count includes them.', 7),
};
const { from, to, granularity, tz, uniques, bots } = statsFields;

const clicks = count('Human clicks, including scans of QR codes.', 42);
const timeSeries = z.array(point).meta({ description: 'The whole range without gaps, oldest first.' });

/** Descriptions of the lists of statistics. */
export const listDescriptions = {
  countries: 'Country codes (ISO 3166-1 alpha-2).',
  cities: 'Cities, if a city database is configured.',
  devices: 'desktop, mobile, tablet or other.',
  browsers: 'Names of browsers.',
  os: 'Names of operating systems.',
  referrers: 'Hosts of referring pages, or `direct`.',
};
const countries = top(listDescriptions.countries);
const devices = top(listDescriptions.devices);
const referrers = top(listDescriptions.referrers);

export const linkStatsRecord = z
  .object({
    from,
    to,
    granularity,
    tz,
    totals: z.object({ clicks, uniques, bots }).meta({ description: 'Totals of the whole range.' }),
    timeSeries,
    countries,
    cities: top(listDescriptions.cities),
    devices,
    browsers: top(listDescriptions.browsers),
    os: top(listDescriptions.os),
    referrers,
    sources: top('`link`, or `qr` for scans.'),
  })
  .meta({ id: 'LinkStats', description: 'Statistics of a link over a time range.' });
export type LinkStatsRecord = z.infer<typeof linkStatsRecord>;

export const workspaceStatsRecord = z
  .object({
    from,
    to,
    totals: z
      .object({
        links: count('Current number of links.', 128),
        qrCodes: count('Current number of QR codes.', 12),
        clicks,
        scans: count('Human scans of QR codes.', 12),
        uniques,
        bots,
      })
      .meta({ description: 'Current numbers of links and QR codes, and totals of the whole range.' }),
    timeSeries,
    topLinks: z
      .array(
        z.object({
          id: identifier('lnk', 'Id of the link.'),
          slug: text('Slug of the link.', 'spring-sale'),
          clicks: count('Human clicks.', 42),
        }),
      )
      .meta({ description: 'Existing links with the most clicks. At most 50, most clicks first.' }),
    countries,
    devices,
    referrers,
  })
  .meta({
    id: 'WorkspaceStats',
    description: 'Statistics of all links and QR codes of a workspace over a time range.',
  });
export type WorkspaceStatsRecord = z.infer<typeof workspaceStatsRecord>;

const range = { from: '2030-01-30T17:00:00.000Z', to: '2030-01-31T12:00:00.000Z' };
const series = [{ time: '2030-01-30T17:00:00.000Z', clicks: 42, uniques: 40 }];

export const linkStatsExample: LinkStatsRecord = {
  ...range,
  granularity: 'day',
  tz: 'Asia/Jakarta',
  totals: { clicks: 42, uniques: 40, bots: 7 },
  timeSeries: series,
  countries: [{ key: 'ID', clicks: 42 }],
  cities: [],
  devices: [
    { key: 'mobile', clicks: 30 },
    { key: 'desktop', clicks: 12 },
  ],
  browsers: [{ key: 'Chrome', clicks: 42 }],
  os: [
    { key: 'Android', clicks: 30 },
    { key: 'Windows', clicks: 12 },
  ],
  referrers: [
    { key: 'direct', clicks: 40 },
    { key: 'news.example.com', clicks: 2 },
  ],
  sources: [
    { key: 'link', clicks: 30 },
    { key: 'qr', clicks: 12 },
  ],
};

export const workspaceStatsExample: WorkspaceStatsRecord = {
  ...range,
  totals: { links: 128, qrCodes: 12, clicks: 42, scans: 12, uniques: 40, bots: 7 },
  timeSeries: series,
  topLinks: [{ id: LINK_ID, slug: 'spring-sale', clicks: 42 }],
  countries: linkStatsExample.countries,
  devices: linkStatsExample.devices,
  referrers: linkStatsExample.referrers,
};
