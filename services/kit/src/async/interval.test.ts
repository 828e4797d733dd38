import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLog, type Log } from '../telemetry/log.js';
import { startInterval } from './interval.js';
import { until } from '../testing/index.js';

const log = createLog('test', 'silent');

test('logs a failure and continues, and skips runs while not ready', async () => {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields) } as unknown as Log;
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
  expect(warnings).toEqual([{ err: new Error('the first run fails'), name: 'work' }]);
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

test('pauses for longer after work that found nothing to do, until work is announced', async () => {
  let hasWork = false;
  let runs = 0;
  const work = async (): Promise<boolean> => {
    runs += 1;
    return hasWork;
  };
  const repeated = startInterval(work, { name: 'work', everyMs: 1, idleMs: 60_000, ready: () => true, log });
  await until(() => runs === 1);
  await sleep(50);
  expect(runs).toBe(1);
  hasWork = true;
  repeated.soon();
  await until(() => runs > 3);
  await repeated.stop();
});

test('work announced during a run that finds nothing causes another run soon', async () => {
  let runs = 0;
  let finish = (): void => {};
  const work = async (): Promise<boolean> => {
    runs += 1;
    await new Promise<void>((resolve) => (finish = resolve));
    return false;
  };
  const repeated = startInterval(work, { name: 'work', everyMs: 1, idleMs: 60_000, ready: () => true, log });
  await until(() => runs === 1);
  repeated.soon();
  finish();
  await until(() => runs === 2);
  finish();
  await repeated.stop();
});
