import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Log } from '../telemetry/log.js';
import { runningCallsMs, Stack } from './run.js';
import { allowedMs } from '../testing/allowed-ms.js';
import { startTraceCollector } from '../testing/trace-collector.js';

describe('a stack', () => {
  test('stops its components once each, in reverse order, even if some of them fail', async () => {
    const stopped: string[] = [];
    const logged: unknown[] = [];
    const log = {
      error: ({ err, component }: { err: Error; component: string }) => logged.push([component, err.message]),
    };
    const stack = new Stack(log as unknown as Log);
    stack.add('first', 1, async () => stopped.push('first'));
    stack.add('broken', 2, () => Promise.reject(new Error('no')));
    stack.add('thrower', 2, () => {
      throw new Error('at once');
    });
    stack.add('last', 3, async (component) => {
      await setImmediate();
      stopped.push(`last ${component}`);
    });
    await Promise.all([stack.stop(), stack.stop()]);
    expect(stopped).toEqual(['last 3', 'first']);
    expect(logged).toEqual([
      ['thrower', 'at once'],
      ['broken', 'no'],
    ]);
  });
});

test('a drain waits for running calls until a second before its timeout, but at least 100 ms', () => {
  const waits = [10_000, 1_150, 1_050, 500].map((DRAIN_TIMEOUT_MS) => runningCallsMs({ DRAIN_TIMEOUT_MS }));
  expect(waits).toEqual([9_000, 150, 100, 100]);
});

describe('a process', () => {
  const fixture = join(import.meta.dirname, 'run.fixture.js');
  const run = (behavior: string, env: Record<string, string> = {}) =>
    observed(fork(fixture, [behavior], { stdio: 'pipe', env: { ...process.env, ...env } }));
  const observed = (child: ChildProcess): { child: ChildProcess; output: () => string; errors: () => string } => {
    let output = '';
    let errors = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return { child, output: () => output, errors: () => errors };
  };
  const exitOf = async (child: ChildProcess) => (await once(child, 'close')) as [number | null, NodeJS.Signals | null];

  test('reports its ports to its parent, drains on SIGTERM and exits with 0', async () => {
    const { child, output } = run('calm');
    const [message] = (await once(child, 'message')) as [unknown];
    expect(message).toEqual({ started: 'fixture', ports: { http: 1234 } });
    child.kill('SIGTERM');
    expect(await exitOf(child)).toEqual([0, null]);
    expect(output()).toContain('draining');
  });

  test('exports the spans of its start and its drain', async () => {
    const collector = await startTraceCollector();
    const { child } = run('calm', { ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '600000' });
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exitOf(child)).toEqual([0, null]);
    await collector.stop();
    expect(collector.spans).toMatchObject([
      { name: 'start', service: 'tautan-fixture' },
      { name: 'drain', service: 'tautan-fixture' },
    ]);
  });

  test('drains when its parent exits', async () => {
    const { child, output } = run('calm');
    await once(child, 'message');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toContain('draining');
  });

  test.each(['calm', 'busy'])(
    'drains when its parent exits during the start, even if the event loop is blocked (%s)',
    async (behavior) => {
      const { child, output } = run(behavior);
      while (behavior === 'busy' && !output().includes('starting')) await once(child.stdout!, 'data');
      child.disconnect();
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(output()).toContain('draining');
    },
  );

  test('logs its ports if it has no IPC channel to its parent, and drains on SIGTERM', async () => {
    const { child, output } = observed(spawn(process.execPath, [fixture, 'calm']));
    while (!output().includes('started')) await once(child.stdout!, 'data');
    expect(output()).toContain('"ports":{"http":1234}');
    child.kill('SIGTERM');
    expect(await exitOf(child)).toEqual([0, null]);
  });

  test('drains once, and exits with 1 after the timeout, even if nothing else keeps it running', async () => {
    const { child, output } = run('hang');
    await once(child, 'message');
    const began = Date.now();
    child.kill('SIGTERM');
    while (!output().includes('draining')) await once(child.stdout!, 'data');
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([1, null]);
    const drainMs = Date.now() - began;
    expect(drainMs).toBeGreaterThanOrEqual(450);
    expect(drainMs).toBeLessThan(5_000);
    expect(output().match(/draining/g)).toHaveLength(1);
  });

  test('drains for longer than the default timeout if its service allows it', async () => {
    const { child } = run('slow');
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exitOf(child)).toEqual([0, null]);
  });

  test('logs a failed drain and exits with 1', async () => {
    const { child, output } = run('broken');
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exitOf(child)).toEqual([1, null]);
    expect(output()).toContain('nothing can be flushed');
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('exits immediately on a second signal (%s)', async (signal) => {
    const { child, output } = run('hang');
    await once(child, 'message');
    child.kill(signal);
    while (!output().includes('draining')) await once(child.stdout!, 'data');
    const began = Date.now();
    child.kill(signal);
    expect(await exitOf(child)).toEqual([1, null]);
    expect(Date.now() - began).toBeLessThan(allowedMs(400));
  });

  test.each([
    ['fail', 'Port 80 on 127.0.0.1 is already in use.'],
    ['throw', 'PORT: must be set'],
  ])('that cannot start prints one line and exits with 1 (%s)', async (behavior, message) => {
    const { child, output, errors } = run(behavior);
    expect(await exitOf(child)).toEqual([1, null]);
    expect(errors()).toBe(`fixture: ${message}\n`);
    expect(output()).toBe('');
  });

  test.each(['throw-later', 'reject-later'])('logs an uncaught error and exits with 1 (%s)', async (behavior) => {
    const { child, output } = run(behavior);
    expect(await exitOf(child)).toEqual([1, null]);
    expect(output()).toContain('nobody caught this');
    expect(output()).toContain('"msg":"uncaught error"');
  });
});
