import { expect, test } from '@jest/globals';
import { csvOf } from './csv.js';

const figures = {
  totals: { clicks: 3, uniques: 2, bots: 0 },
  timeSeries: [{ time: '2026-01-01T00:00:00.000Z', clicks: 3, uniques: 2 }],
  lists: {
    referrers: [
      { key: '=1+1', clicks: 2 },
      { key: 'a,"b"', clicks: 1 },
    ],
  },
};

test('writes the time series and each list, and escapes formulas', () => {
  expect(csvOf(figures).split('\r\n')).toEqual([
    'time,clicks,uniques',
    '2026-01-01T00:00:00.000Z,3,2',
    '',
    'dimension,key,clicks',
    "referrers,'=1+1,2",
    'referrers,"a,""b""",1',
    '',
  ]);
});
