import { describe, expect, test } from '@jest/globals';
import { barTable, sparkline } from './chart.js';
import { statsText, type ShownStats } from './stats.js';
import { styles } from './style.js';
import type { Terminal } from './terminal.js';

const style = styles(false);
const stats: ShownStats = {
  from: '2030-01-01T00:00:00.000Z',
  to: '2030-01-31T23:59:59.000Z',
  tz: 'UTC',
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

test('statistics without clicks omit the series', () => {
  const empty = { ...stats, series: stats.series.map((point) => ({ ...point, count: 0 })), lists: [] };
  expect(statsText(empty, { style, width: 80 } as Terminal).split('\n')).toHaveLength(2);
});
