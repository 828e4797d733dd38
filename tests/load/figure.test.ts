import { describe, expect, test } from '@jest/globals';
import { evaluate, table, type Figure } from './figure.js';

const aFigure = (fields: Partial<Figure> = {}): Figure => ({ label: 'redirects', value: 80, unit: '/s', ...fields });

describe('a figure', () => {
  test('with a baseline passes if its ratio meets the bound', () => {
    const baseline = { label: 'bare', value: 100 };
    expect(evaluate('x', aFigure({ baseline, bound: { atLeast: 0.8 } }))).toMatchObject({ ratio: 0.8, passed: true });
    expect(evaluate('x', aFigure({ baseline, bound: { atLeast: 0.81 } })).passed).toBe(false);
    expect(evaluate('x', aFigure({ baseline, ratio: 0.9, bound: { atLeast: 0.81 } })).passed).toBe(true);
  });

  test('without a baseline passes if its value meets the bound', () => {
    expect(evaluate('x', aFigure({ bound: { atMost: 80 } })).passed).toBe(true);
    expect(evaluate('x', aFigure({ bound: { atMost: 79 } })).passed).toBe(false);
    expect(evaluate('x', aFigure({ bound: { exactly: 80 } })).passed).toBe(true);
    expect(evaluate('x', aFigure({ bound: { exactly: 81 } })).passed).toBe(false);
  });

  test('that is not a number meets no bound', () => {
    for (const bound of [{ atLeast: 0 }, { atMost: 1 }, { exactly: NaN }])
      expect(evaluate('x', aFigure({ value: NaN, bound })).passed).toBe(false);
  });

  test('without a bound neither passes nor fails', () => {
    expect(evaluate('x', aFigure())).not.toHaveProperty('passed');
  });
});

test('the table names each benchmark once and marks missed bounds', () => {
  const passed = evaluate('redirects', aFigure({ bound: { atLeast: 80 } }));
  const missed = evaluate('redirects', aFigure({ label: 'p99', unit: 'ms', value: 1.234, bound: { atMost: 1 } }));
  const lines = table([passed, missed]).split('\n');
  expect(lines[2]).toMatch(/^redirects {2}redirects +80\/s +>= 80 +pass$/);
  expect(lines[3]).toMatch(/^ +p99 +1\.23 ms +<= 1 +FAIL$/);
});
