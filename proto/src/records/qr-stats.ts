import { z } from 'zod';
import { count, text, time } from './fields.js';
import { listDescriptions, statsFields } from './stats.js';

const { from, to, granularity, tz, uniques, bots } = statsFields;
const scans = count('Human scans.', 42);

const keyScans = z
  .object({ key: text('Value that the scans have in common.', 'ID'), scans })
  .meta({ id: 'KeyScans', description: 'Scans grouped by a value.' });
const top = (description: string) =>
  z.array(keyScans).meta({ description: `${description} At most 50, most scans first.` });

const point = z
  .object({ time: time('Start of the hour, day or month.'), scans, uniques })
  .meta({ id: 'ScansPoint', description: 'Counts of an hour, a day or a month.' });

export const qrCodeStatsRecord = z
  .object({
    from,
    to,
    granularity,
    tz,
    totals: z.object({ scans, uniques, bots }).meta({ description: 'Totals of the whole range.' }),
    timeSeries: z.array(point).meta({ description: 'The whole range without gaps, oldest first.' }),
    countries: top(listDescriptions.countries),
    cities: top(listDescriptions.cities),
    devices: top(listDescriptions.devices),
    browsers: top(listDescriptions.browsers),
    os: top(listDescriptions.os),
    referrers: top(listDescriptions.referrers),
    sources: z.array(keyScans).meta({ description: 'Always `qr`, so at most one entry.' }),
  })
  .meta({ id: 'QrCodeStats', description: 'Statistics of a QR code over a time range.' });
export type QrCodeStatsRecord = z.infer<typeof qrCodeStatsRecord>;
