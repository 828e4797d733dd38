import { describe, expect, test } from '@jest/globals';
import { barTable, sparkline } from './chart.js';
import { workspaceStatsOf } from './stats-of.js';
import { statsText, type ShownStats } from './stats.js';
import { styles } from './style.js';
import type { Terminal } from './terminal.js';

const style = styles(false);
const stats: ShownStats = {
  from: '2030-01-01T00:00:00.000Z',
  to: '2030-01-31T23:59:59.000Z',
  tz: 'UTC',
  granularity: 'day',
  totals: [
    ['click', 1_234],
    ['visitor', 1],
  ],
  series: [0, 1, 4, 8].map((count, day) => ({ time: `2030-01-0${day + 1}T00:00:00.000Z`, count })),
  lists: [
    [
      'countries',
      [
        { key: 'ID', count: 8 },
        { key: 'SG', count: 1 },
      ],
    ],
    ['cities', []],
  ],
};

test('a sparkline draws zero as the lowest level and merges values that do not fit', () => {
  expect(sparkline([0, 1, 4, 8], 80)).toBe('▁▂▄█');
  expect(sparkline([1, 1, 4, 4], 2)).toBe('▂█');
  expect(sparkline([0, 0], 80)).toBe('▁▁');
});

test('a bar table omits bars that do not fit', () => {
  const wide = barTable(
    'OS',
    [
      { key: 'Android', count: 4 },
      { key: 'iOS', count: 2 },
    ],
    style,
    40,
  );
  expect(wide.split('\n')).toEqual(['OS', 'Android  4  ████████████████████', 'iOS      2  ██████████']);
  expect(barTable('OS', [{ key: 'Android', count: 4 }], style, 20)).toBe('OS\nAndroid  4');
});

describe.each([40, 80])('statistics in %d columns', (width) => {
  const text = statsText(stats, { style, width } as Terminal);

  test('fit', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  });

  test('show totals, range, series and the non-empty lists', () => {
    expect(text.split('\n').map((line) => line.replace(/ █+$/, ''))).toEqual([
      '1,234 clicks · 1 visitor',
      '1 Jan 2030 – 31 Jan 2030 (UTC)',
      '',
      '▁▂▄█',
      'peak: 8 on 4 Jan 2030',
      '',
      'COUNTRIES',
      'ID         8 ',
      'SG         1 ',
    ]);
  });
});

const peakOf = (shown: ShownStats): string | undefined =>
  /^peak: .*$/m.exec(statsText(shown, { style, width: 80 } as Terminal))?.[0];

test('the peak names its hour, day or month in the time zone', () => {
  const series = [{ time: '2030-02-28T17:00:00.000Z', count: 8_000 }];
  const peak = (granularity: ShownStats['granularity']) =>
    peakOf({ ...stats, series, granularity, tz: 'Asia/Jakarta' });
  expect(peak('hour')).toBe('peak: 8,000 on 1 Mar 2030, 00:00');
  expect(peak('day')).toBe('peak: 8,000 on 1 Mar 2030');
  expect(peak('month')).toBe('peak: 8,000 in Mar 2030');
});

test.each([
  ['hour', 'on 1 Jan 2030, 01:00', '2030-01-01T01:00:00.000Z'],
  ['day', 'on 2 Jan 2030', '2030-01-02T00:00:00.000Z'],
  ['month', 'in Feb 2030', '2030-02-01T00:00:00.000Z'],
])('workspace statistics with one point per %s show a peak %s', (_unit, interval, time) => {
  const shown = workspaceStatsOf(
    {
      from: stats.from,
      to: stats.to,
      totals: { links: 1, qrCodes: 0, clicks: 5, scans: 0, uniques: 1, bots: 0 },
      timeSeries: [
        { time: '2030-01-01T00:00:00.000Z', clicks: 0, uniques: 0 },
        { time, clicks: 5, uniques: 1 },
      ],
      topLinks: [],
      countries: [],
      devices: [],
      referrers: [],
    },
    {},
  );
  expect(peakOf(shown)).toBe(`peak: 5 ${interval}`);
});

test('statistics without clicks omit the series', () => {
  const empty = { ...stats, series: stats.series.map((point) => ({ ...point, count: 0 })), lists: [] };
  expect(statsText(empty, { style, width: 80 } as Terminal).split('\n')).toHaveLength(2);
});
