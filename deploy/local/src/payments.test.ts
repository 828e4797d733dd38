import { mkdtempSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { closeHttp, listen } from '@tautan/kit';
import { paymentsEnvironment, choosePayments } from './payments.js';
import { readSettings } from './settings.js';

const folder = (): string => mkdtempSync(join(tmpdir(), 'tautan-payments-plan-'));
const choose = (dataDir: string, more: Record<string, string> = {}) =>
  choosePayments(readSettings({ DATA_DIR: dataDir, ...more }), []);

test('reuses the port and keys of a data folder, stored in a file that only its owner can read', async () => {
  const dataDir = folder();
  const first = await choose(dataDir);
  expect(first).toEqual({
    url: `http://localhost:${first!.port}`,
    port: expect.any(Number),
    secretKey: expect.stringMatching(/^sk_test_[0-9a-f]{48}$/),
    webhookSecret: expect.stringMatching(/^whsec_[0-9a-f]{48}$/),
  });
  expect(await choose(dataDir)).toEqual(first);
  expect(statSync(join(dataDir, 'payments', 'stack.json')).mode & 0o777).toBe(0o600);
  expect((await choose(folder()))!.secretKey).not.toBe(first!.secretKey);
});

test('chooses another port if the stored one is in use, and keeps the keys', async () => {
  const dataDir = folder();
  const first = await choose(dataDir);
  const other = createServer();
  await listen(other, first!.port, '127.0.0.1');
  const second = await choose(dataDir);
  await closeHttp(other, 0);
  expect(second!.port).not.toBe(first!.port);
  expect(second!.secretKey).toBe(first!.secretKey);
  expect(await choose(dataDir)).toEqual(second);
});

test('uses the configured port', async () => {
  expect(await choose(folder(), { PAYMENT_PORT: '8999' })).toMatchObject({ port: 8999, url: 'http://localhost:8999' });
});

test('uses no sandbox if PAYMENT_SECRET_KEY is set, and passes no settings to billing', async () => {
  const facts = await choose(folder(), { PAYMENT_SECRET_KEY: 'sk_live_x' });
  expect([facts, paymentsEnvironment(facts)]).toEqual([undefined, {}]);
});

test('uses no sandbox if DEFAULT_PLAN is not FREE', async () => {
  expect(await choose(folder(), { DEFAULT_PLAN: 'UNLIMITED' })).toBeUndefined();
  expect(await choose(folder(), { DEFAULT_PLAN: 'FREE' })).toMatchObject({ port: expect.any(Number) });
});
