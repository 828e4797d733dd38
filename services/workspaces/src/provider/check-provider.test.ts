import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLog, type Log } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { Adapter } from '../testing/adapter.js';
import { startService } from '../testing/service.js';
import { checkProvider } from './check-provider.js';

let adapter: Adapter;
beforeEach(async () => void (adapter = await Adapter.start()));
afterEach(() => adapter.stop());

async function withLog(work: (log: Log, lines: () => Promise<Record<string, unknown>[]>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-log-'));
  const file = await open(join(folder, 'log'), 'w');
  const lines = async () =>
    (await readFile(join(folder, 'log'), 'utf8'))
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  try {
    await work(createLog('test', 'info', file.fd), lines);
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

test('a wrong IDENTITY_URL is logged once, with the setting and the reason but no password', () =>
  withLog(async (log, lines) => {
    const { host } = new URL(adapter.server.url);
    const identityUrl = `http://user:hunter2@${host}/nowhere`;
    const wrong = adapter.connect({ IDENTITY_URL: `${adapter.server.url}/nowhere` });
    let checks = 0;
    const provider = { ...wrong, problem: () => ((checks += 1), wrong.problem()) };
    const check = checkProvider(provider, { identityUrl, log, everyMs: 5 });
    await until(() => checks >= 4);
    await check.stop();
    const [line, ...more] = await lines();
    expect(line).toMatchObject({
      level: 'error',
      url: `http://${host}/nowhere`,
      msg: expect.stringContaining('IDENTITY_URL'),
    });
    expect(line!['reason']).toContain('discovery document');
    expect(more).toEqual([]);
    expect(JSON.stringify(line)).not.toContain('hunter2');
    expect(check.usable()).toBe(false);
  }));

test('a provider that becomes available later is detected', () =>
  withLog(async (log, lines) => {
    adapter.server.mode = 'down';
    const check = checkProvider(adapter.provider, { identityUrl: adapter.server.url, log, everyMs: 5 });
    await until(async () => (await lines()).length === 1);
    adapter.server.mode = 'up';
    await until(() => check.usable());
    await check.stop();
    expect((await lines()).map(({ level }) => level)).toEqual(['error', 'warn']);
  }));

test('the service starts with a wrong IDENTITY_URL, is ready for API keys, and reports a degraded state', async () => {
  const settings = adapter.server.settings();
  const service = await startService({ ...settings, IDENTITY_URL: `${adapter.server.url}/nowhere` });
  try {
    const readiness = async () => (await fetch(`${service.adminUrl}/readyz`)).text();
    await until(async () => (await readiness()) === 'degraded: identity provider\n');
    expect((await fetch(`${service.adminUrl}/readyz`)).status).toBe(200);
  } finally {
    await service.stop();
  }
  const right = await startService(settings);
  try {
    await until(async () => (await (await fetch(`${right.adminUrl}/readyz`)).text()) === 'ready\n');
  } finally {
    await right.stop();
  }
});
