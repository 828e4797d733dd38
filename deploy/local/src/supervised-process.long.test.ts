import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { LogFiles } from './log-files.js';
import { SupervisedProcess, type ProcessOptions } from './supervised-process.js';
import { until } from '@tautan/kit/testing';

const entry = join(import.meta.dirname, 'supervised-process.fixture.js');
const running: SupervisedProcess[] = [];
const logs: LogFiles[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.stop(0)));
  for (const files of logs.splice(0)) files.close();
});

function supervise(behavior = 'calm', options: Partial<ProcessOptions> = {}) {
  const files = new LogFiles(mkdtempSync(join(tmpdir(), 'tautan-logs-')));
  logs.push(files);
  const notices: string[] = [];
  const child = new SupervisedProcess({
    name: 'fixture',
    entry,
    args: [behavior],
    env: process.env,
    logFd: files.open('fixture'),
    log: createLog('test', 'silent'),
    onChange: () => {},
    onNotice: (sentence) => notices.push(sentence),
    crashCause: 'its file may be damaged',
    ...options,
  });
  running.push(child);
  child.start();
  return { child, notices, logFile: join(files.folder, 'fixture.log') };
}

test('a process reports its ports and writes its own log', async () => {
  const { child, logFile } = supervise();
  await until(() => child.ports !== undefined);
  expect(child.ports).toEqual({ http: 1 });
  expect(readFileSync(logFile, 'utf8')).toContain('"msg":"started"');
});

test('functions of a process can be called', async () => {
  const { child } = supervise();
  await expect(child.call('double', 2)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await until(() => child.ports !== undefined);
  expect(await Promise.all([child.call('double', 2), child.call('double', 3)])).toEqual([4, 6]);
  await expect(child.call('refuse', null)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'No such thing.' });
  await expect(child.call('crash', null)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a killed process is restarted', async () => {
  const { child, notices } = supervise();
  await until(() => child.ports !== undefined);
  const before = child.pid!;
  process.kill(before, 'SIGKILL');
  await until(() => child.ports !== undefined && child.pid !== before);
  expect(notices).toEqual(['fixture was terminated by SIGKILL; restarting.']);
});

test('a process that does not respond is killed and restarted', async () => {
  const { child, notices } = supervise('calm', { silentMs: 500 });
  await until(() => child.ports !== undefined);
  const before = child.pid!;
  process.kill(before, 'SIGSTOP');
  await until(() => child.ports !== undefined && child.pid !== before);
  expect(notices).toEqual(['fixture is not responding; killing it.', 'fixture was terminated by SIGKILL; restarting.']);
});

test('a process that responds is not restarted', async () => {
  const { child } = supervise('calm', { silentMs: 300 });
  await until(() => child.ports !== undefined);
  const before = child.pid!;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(child.pid).toBe(before);
});

test('a process that keeps crashing is restarted immediately three times, then with backoff', async () => {
  const { child } = supervise();
  const pauses: number[] = [];
  for (let i = 0; i < 6; i += 1) {
    const pid = await until(() => child.ports && child.pid);
    process.kill(pid, 'SIGKILL');
    await until(() => child.pid !== pid);
    const endedAt = performance.now();
    await until(() => child.pid !== undefined);
    pauses.push(performance.now() - endedAt);
  }
  // On a busy machine, every restart takes longer.
  const immediate = pauses.slice(0, 3).sort((a, b) => a - b)[1]!;
  expect(pauses[3]).toBeGreaterThan(60);
  // The sixth restart has the third backoff, 400 ms. With four or two immediate restarts instead of three, its backoff
  // would be 200 or 800 ms.
  expect(pauses[5]).toBeGreaterThan(350);
  expect(pauses[5]! - immediate).toBeGreaterThan(300);
  expect(pauses[5]! - immediate).toBeLessThan(700);
});

test('a process that cannot start reports the reason on one line and is restarted', async () => {
  const { child, notices } = supervise('fail');
  expect(await until(() => child.failure)).toBe('fixture: Port 1 on localhost is already in use');
  const before = child.pid;
  await until(() => child.pid !== undefined && child.pid !== before);
  expect(notices).toEqual(['fixture: Port 1 on localhost is already in use; retrying.']);
});

test('a process that cannot start and prints no reason reports its exit code', async () => {
  const { child } = supervise('silent');
  expect(await until(() => child.failure)).toBe('fixture exited with code 3');
});

test.each([
  ['abort', 'fixture was terminated by SIGABRT (its file may be damaged)'],
  ['out of memory', 'fixture was terminated by SIGABRT'],
])('a native crash is reported with its possible cause, unless V8 ran out of memory (%s)', async (behavior, reason) => {
  const { child, notices } = supervise(behavior);
  expect(await until(() => child.failure)).toBe(reason);
  expect(notices).toEqual([`${reason}; retrying.`]);
});

test('a process that does not drain in time is killed', async () => {
  const { child } = supervise('stubborn');
  await until(() => child.ports !== undefined);
  const pid = child.pid!;
  await child.stop(50);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
