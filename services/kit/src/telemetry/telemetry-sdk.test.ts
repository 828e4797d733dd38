import { expect, test } from '@jest/globals';
import { warnOncePerOutage } from './telemetry-sdk.js';

test('warns about the first failed export of each outage', () => {
  let now = 0;
  let warnings = 0;
  const failed = warnOncePerOutage({ warn: () => (warnings += 1) } as never, () => now);
  for (; now < 3_600_000; now += 5_000) failed(new Error('connect ECONNREFUSED'));
  expect(warnings).toBe(1);
  // A failure at least ten minutes after the previous one belongs to a new outage.
  now += 600_000;
  failed(new Error('connect ECONNREFUSED'));
  expect(warnings).toBe(2);
});
