import { describe, expect, test } from '@jest/globals';
import { judge, table, type Figure } from './figure.js';

const aFigure = (fields: Partial<Figure> = {}): Figure => ({ what: 'redirects', value: 80, unit: '/s', ...fields });

describe('a figure', () => {
  test('is compared by its ratio if it has a baseline', () => {
    const baseline = { what: 'bare', value: 100 };
    expect(judge('x', aFigure({ baseline, bound: { atLeast: 0.8 } }))).toMatchObject({ ratio: 0.8, held: true });
    expect(judge('x', aFigure({ baseline, bound: { atLeast: 0.81 } })).held).toBe(false);
    expect(judge('x', aFigure({ baseline, ratio: 0.9, bound: { atLeast: 0.81 } })).held).toBe(true);
  });

  test('is compared by its value otherwise', () => {
    expect(judge('x', aFigure({ bound: { atMost: 80 } })).held).toBe(true);
    expect(judge('x', aFigure({ bound: { atMost: 79 } })).held).toBe(false);
    expect(judge('x', aFigure({ bound: { exactly: 80 } })).held).toBe(true);
    expect(judge('x', aFigure({ bound: { exactly: 81 } })).held).toBe(false);
  });

  test('that is not a number fails its target', () => {
    for (const bound of [{ atLeast: 0 }, { atMost: 1 }, { exactly: NaN }])
      expect(judge('x', aFigure({ value: NaN, bound })).held).toBe(false);
  });

  test('without a target neither passes nor fails', () => {
    expect(judge('x', aFigure())).not.toHaveProperty('held');
  });
});

test('the table names each benchmark once and marks missed targets', () => {
  const held = judge('redirects', aFigure({ bound: { atLeast: 80 } }));
  const broken = judge('redirects', aFigure({ what: 'p99', unit: 'ms', value: 1.234, bound: { atMost: 1 } }));
  const lines = table([held, broken]).split('\n');
  expect(lines[2]).toMatch(/^redirects {2}redirects +80\/s +>= 80 +held$/);
  expect(lines[3]).toMatch(/^ +p99 +1\.23 ms +<= 1 +NOT held$/);
});
