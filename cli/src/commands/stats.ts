import { Option } from 'commander';
import type { Granularity } from '../api/records.js';

/** Options of commands that show statistics. */
export interface StatsOptions {
  from?: string;
  to?: string;
  granularity?: Granularity;
  tz?: string;
}

export const statsOptions = (): Option[] => [
  new Option('--from <date>', 'start of the range, such as 2030-01-01 (default: 29 days before the end)'),
  new Option('--to <date>', 'end of the range, inclusive (default: now)'),
  new Option('--granularity <unit>', 'length of one interval (default: depends on the range)').choices([
    'hour',
    'day',
    'month',
  ]),
  new Option('--tz <zone>', 'time zone in which days begin, such as Asia/Jakarta (default: UTC)'),
];
