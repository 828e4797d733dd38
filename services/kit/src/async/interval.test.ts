import { expect, test } from '@jest/globals';
import { createLog } from '../telemetry/log.js';
import { startInterval } from './interval.js';
import { until } from '../testing/index.js';

const log = createLog('test', 'silent');

test('continues after a failure, and skips runs while not ready', async () => {
  let ready = false;
  let runs = 0;
  let checks = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    if (runs === 1) throw new Error('the first run fails');
  };
  const repeated = startInterval(work, { name: 'work', everyMs: 1, ready: () => (checks++, ready), log });
  await until(() => checks > 3);
  expect(runs).toBe(0);
  ready = true;
  await until(() => runs > 2);
  await repeated.stop();
});

test('stop waits for the current run, and no other follows', async () => {
  let begun = 0;
  let ended = 0;
  let finish = (): void => {};
  const work = async (): Promise<void> => {
    begun += 1;
    await new Promise<void>((resolve) => (finish = resolve));
    ended += 1;
  };
  const repeated = startInterval(work, { name: 'work', everyMs: 1, ready: () => true, log });
  await until(() => begun === 1);
  const stopped = repeated.stop();
  finish();
  await stopped;
  expect([begun, ended]).toEqual([1, 1]);
});
