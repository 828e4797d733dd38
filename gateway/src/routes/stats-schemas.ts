import { granularities } from '@tautan/proto';
import { z } from 'zod';
import { nonEmptyText } from './fields.js';
import { linkDomainQuery } from './link-schemas.js';

const from = nonEmptyText(64)
  .optional()
  .meta({
    description:
      'Start of the range: an ISO 8601 date, which includes the whole day, or a date-time. A date-time without an offset is in the time zone `tz`. By default the start of the day 29 days before `to`.',
    examples: ['2030-01-01'],
  });
const to = nonEmptyText(64)
  .optional()
  .meta({
    description:
      'End of the range, inclusive, in the same formats. The current time by default. At most 3 years after `from`.',
    examples: ['2030-01-31'],
  });

/** Query of GET /workspaces/current/stats and GET /qr-codes/{id}/stats. */
export const rangeQuery = z.object({
  from,
  to,
  granularity: z
    .enum(granularities)
    .optional()
    .meta({
      description:
        'Interval of the time series. By default hour for up to 2 days, day for up to 180 days, month for longer ranges.',
      examples: ['day'],
    }),
  tz: nonEmptyText(64)
    .optional()
    .meta({ description: 'Time zone that defines the days (IANA name). UTC by default.', examples: ['Asia/Jakarta'] }),
});

/** Query of GET /links/{id}/stats. */
export const linkStatsQuery = rangeQuery.extend(linkDomainQuery.shape);

/** Query of GET /links/{id}/stats/export. */
export const linkStatsExportQuery = linkStatsQuery.extend({
  format: z
    .enum(['csv', 'json'])
    .default('csv')
    .meta({ description: 'Format of the file.', examples: ['csv'] }),
});
