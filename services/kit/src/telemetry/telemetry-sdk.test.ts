import { expect, test } from '@jest/globals';
import { warnOncePerOutage } from './telemetry-sdk.js';

test('warns about the first failed export of each outage', () => {
  let now = 0;
  const warnings: object[] = [];
  const failed = warnOncePerOutage({ warn: (fields: object) => warnings.push(fields) } as never, () => now);
  const err = new Error('connect ECONNREFUSED');
  for (; now < 3_600_000; now += 5_000) failed(err);
  expect(warnings).toEqual([{ err }]);
  // A failure at least ten minutes after the previous one belongs to a new outage.
  now += 595_000;
  failed(err);
  expect(warnings).toEqual([{ err }, { err }]);
});
