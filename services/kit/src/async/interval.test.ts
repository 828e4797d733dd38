import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLog } from '../telemetry/log.js';
import { startInterval } from './interval.js';
import { until } from '../testing/index.js';

const log = createLog('test', 'silent');

test('repeats work after a failure, and skips runs while it is not ready', async () => {
  let ready = false;
  let goes = 0;
  let asked = 0;
  const work = async (): Promise<void> => {
    goes += 1;
    if (goes === 1) throw new Error('the first run fails');
  };
  const repeated = startInterval(work, { name: 'work', everyMs: 1, ready: () => (asked++, ready), log });
  await until(() => asked > 3);
  expect(goes).toBe(0);
  ready = true;
  await until(() => goes > 2);
  await repeated.stop();
});

test('stop waits for the current run, and prevents later runs', async () => {
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
  await sleep(20);
  expect([begun, ended]).toEqual([1, 1]);
});

test('stop before the first run prevents it', async () => {
  let runs = 0;
  const repeated = startInterval(async () => (runs += 1), { name: 'work', everyMs: 5, ready: () => true, log });
  await repeated.stop();
  await sleep(20);
  expect(runs).toBe(0);
});

test('an interval given as a function is computed before each run', async () => {
  const delays: number[] = [];
  let runs = 0;
  const everyMs = (): number => delays.push(runs);
  const repeated = startInterval(async () => (runs += 1), { name: 'work', everyMs, ready: () => true, log });
  await until(() => runs >= 3);
  await repeated.stop();
  expect(delays.slice(0, 3)).toEqual([0, 1, 2]);
});
