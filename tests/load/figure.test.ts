import { describe, expect, test } from '@jest/globals';
import { judge, table, type Figure } from './figure.js';

const aFigure = (fields: Partial<Figure> = {}): Figure => ({ what: 'redirects', value: 80, unit: '/s', ...fields });

describe('a figure', () => {
  test('is judged by its ratio where it has a baseline', () => {
    const baseline = { what: 'bare', value: 100 };
    expect(judge('x', aFigure({ baseline, bound: { atLeast: 0.8 } }))).toMatchObject({ ratio: 0.8, held: true });
    expect(judge('x', aFigure({ baseline, bound: { atLeast: 0.81 } })).held).toBe(false);
    expect(judge('x', aFigure({ baseline, ratio: 0.9, bound: { atLeast: 0.81 } })).held).toBe(true);
  });

  test('is judged by its value where it has none', () => {
    expect(judge('x', aFigure({ bound: { atMost: 80 } })).held).toBe(true);
    expect(judge('x', aFigure({ bound: { atMost: 79 } })).held).toBe(false);
    expect(judge('x', aFigure({ bound: { exactly: 80 } })).held).toBe(true);
    expect(judge('x', aFigure({ bound: { exactly: 81 } })).held).toBe(false);
  });

  test('that is no number holds nothing', () => {
    for (const bound of [{ atLeast: 0 }, { atMost: 1 }, { exactly: NaN }])
      expect(judge('x', aFigure({ value: NaN, bound })).held).toBe(false);
  });

  test('without a bound promises nothing', () => {
    expect(judge('x', aFigure())).not.toHaveProperty('held');
  });
});

test('the table shows a benchmark once and says what does not hold', () => {
  const held = judge('redirects', aFigure({ bound: { atLeast: 80 } }));
  const broken = judge('redirects', aFigure({ what: 'p99', unit: 'ms', value: 1.234, bound: { atMost: 1 } }));
  const lines = table([held, broken]).split('\n');
  expect(lines[2]).toMatch(/^redirects {2}redirects +80\/s +>= 80 +held$/);
  expect(lines[3]).toMatch(/^ +p99 +1\.23 ms +<= 1 +NOT held$/);
});
