import { z } from 'zod';
import { count, identifier, term, time } from './fields.js';
import { LINK_ID, linkDomainQuery } from './link-schemas.js';

const granularities = z.enum(['hour', 'day', 'month']);

const from = term(64)
  .optional()
  .meta({
    description:
      'Where the range begins: an ISO 8601 date, which is the whole of that day, or a date-time; without an offset by the clocks of the time zone. The start of the day 29 days before `to` when absent.',
    examples: ['2030-01-01'],
  });
const to = term(64)
  .optional()
  .meta({
    description: 'Where it ends, inclusive, in the same forms; now when absent. At most 3 years after `from`.',
    examples: ['2030-01-31'],
  });

/** Query of GET /workspaces/current/stats. */
export const rangeQuery = z.object({
  from,
  to,
  granularity: granularities.optional().meta({
    description: 'Length of a point of the time series. When absent: hour up to 2 days, day up to 180, else month.',
    examples: ['day'],
  }),
  tz: term(64)
    .optional()
    .meta({ description: 'IANA name of the time zone that days are of; UTC when absent.', examples: ['Asia/Jakarta'] }),
});

/** Query of GET /links/{id}/stats. */
export const linkStatsQuery = rangeQuery.extend(linkDomainQuery.shape);

/** Query of GET /links/{id}/stats/export. */
export const linkStatsExportQuery = linkStatsQuery.extend({
  format: z
    .enum(['csv', 'json'])
    .default('csv')
    .meta({ description: 'Form of the file.', examples: ['csv'] }),
});

const keyClicks = z
  .object({
    key: z.string().meta({ description: 'What the clicks have in common.', examples: ['ID'] }),
    clicks: count('Clicks by people.', 30),
  })
  .meta({ id: 'KeyClicks', description: 'Clicks that have something in common.' });
const top = (what: string) => z.array(keyClicks).meta({ description: `${what} At most 50, most clicks first.` });

const point = z
  .object({
    time: time('When the hour, day or month begins.'),
    clicks: count('Clicks by people.', 42),
    uniques: count('Visitors, told apart by a daily changing fingerprint; an estimate.', 40),
  })
  .meta({ id: 'StatsPoint', description: 'What was counted in an hour, a day or a month.' });

const range = { from: time('Where the range begins.'), to: time('Where it ends, inclusive.') };
const clicks = count('Clicks by people, scans of QR codes among them.', 42);
const uniques = count('Visitors; an estimate within 2 %.', 40);
const bots = count('Requests of bots, which count nowhere else.', 7);
const timeSeries = z.array(point).meta({ description: 'The whole range without holes, oldest first.' });
const countries = top('Country codes (ISO 3166-1 alpha-2).');
const devices = top('desktop, mobile, tablet or other.');
const referrers = top('Hosts that visitors came from, or `direct`.');

/** The lists of a link's statistics, in their order. */
export const dimensions = ['countries', 'cities', 'devices', 'browsers', 'os', 'referrers', 'sources'] as const;

export const linkStats = z
  .object({
    ...range,
    granularity: granularities.meta({ description: 'Length of a point of the time series.', examples: ['day'] }),
    tz: z.string().meta({ description: 'Time zone that days are of.', examples: ['Asia/Jakarta'] }),
    totals: z.object({ clicks, uniques, bots }).meta({ description: 'Over the whole range.' }),
    timeSeries,
    countries,
    cities: top('Cities, where a database of them is configured.'),
    devices,
    browsers: top('Names of browsers.'),
    os: top('Names of operating systems.'),
    referrers,
    sources: top('`link`, or `qr` for scans.'),
  })
  .meta({ id: 'LinkStats', description: 'What was counted of a link over a range of time.' });
export type LinkStats = z.infer<typeof linkStats>;

export const workspaceStats = z
  .object({
    ...range,
    totals: z
      .object({
        links: count('Links that there are now.', 128),
        qrCodes: count('QR codes that there are now.', 12),
        clicks,
        scans: count('Scans of QR codes.', 12),
        uniques,
        bots,
      })
      .meta({ description: 'Over the whole range.' }),
    timeSeries,
    topLinks: z
      .array(
        z.object({
          id: identifier('lnk', 'Id of the link.'),
          slug: z.string().meta({ description: 'Its slug.', examples: ['spring-sale'] }),
          clicks: count('Clicks by people.', 42),
        }),
      )
      .meta({ description: 'Links that there still are. At most 50, most clicks first.' }),
    countries,
    devices,
    referrers,
  })
  .meta({ id: 'WorkspaceStats', description: 'What was counted of all links of a workspace over a range of time.' });
export type WorkspaceStats = z.infer<typeof workspaceStats>;

const exampleRange = { from: '2030-01-30T17:00:00.000Z', to: '2030-01-31T12:00:00.000Z' };
const examplePoint = { time: '2030-01-30T17:00:00.000Z', clicks: 42, uniques: 40 };

export const linkStatsExample: LinkStats = {
  ...exampleRange,
  granularity: 'day',
  tz: 'Asia/Jakarta',
  totals: { clicks: 42, uniques: 40, bots: 7 },
  timeSeries: [examplePoint],
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

export const workspaceStatsExample: WorkspaceStats = {
  ...exampleRange,
  totals: { links: 128, qrCodes: 12, clicks: 42, scans: 12, uniques: 40, bots: 7 },
  timeSeries: [examplePoint],
  topLinks: [{ id: LINK_ID, slug: 'spring-sale', clicks: 42 }],
  countries: linkStatsExample.countries,
  devices: linkStatsExample.devices,
  referrers: linkStatsExample.referrers,
};
