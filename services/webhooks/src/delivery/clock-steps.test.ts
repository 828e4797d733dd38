import { expect, test } from '@jest/globals';
import { ClockSteps } from './clock-steps.js';

test('reports a clock step in either direction until it is accepted, and ignores small adjustments', () => {
  let setByMs = 0;
  const steps = new ClockSteps(() => new Date(Date.now() + setByMs));
  expect(steps.detect()).toBe(-Infinity);
  steps.accept();
  for (const byMs of [3_600_000, -3_600_000]) {
    setByMs += byMs;
    for (const _ of [1, 2]) expect(Math.round(steps.detect() / 1_000)).toBe(byMs / 1_000);
    steps.accept();
    expect(steps.detect()).toBe(0);
  }
  // Adjustments do not add up to a step.
  for (let i = 0; i < 10; i += 1) {
    setByMs += 500;
    expect(steps.detect()).toBe(0);
  }
});
