import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { meterBreaker } from './breaker-meter.js';
import { meterCertificates } from './certificate-meter.js';
import { createMetrics, databaseGauge, gauge, total, totals, type Registry } from './metrics.js';
import { Breaker } from '../rpc/breaker.js';
import { expired, valid } from '../testing/certificates.js';

const sample = async (registry: Registry, series: string): Promise<string | undefined> =>
  (await registry.metrics())
    .split('\n')
    .find((line) => line.startsWith(series))
    ?.split(' ')
    .at(-1);

test('a database that hangs, fails or is not connected makes its metrics NaN, and does not block a scrape', async () => {
  const registry = createMetrics('test');
  const gauge = (name: string, read: () => Promise<number>, ready = true) =>
    databaseGauge(registry, { name, help: 'Help', ready: () => ready }, read);
  gauge('answers', async () => 7);
  gauge('hangs', () => new Promise(() => {}));
  gauge('fails', () => Promise.reject(new Error('unavailable')));
  gauge('absent', () => Promise.reject(new Error('asked')), false);
  const values = await Promise.all(['answers', 'hangs', 'fails', 'absent'].map((name) => sample(registry, `${name}{`)));
  expect(values).toEqual(['7', 'Nan', 'Nan', 'Nan']);
});

test('totals and gauges are read at each scrape', async () => {
  const registry = createMetrics('test');
  let count = 1;
  total(registry, 'handled_total', 'Help', () => count);
  totals(registry, 'handled_by_kind_total', 'Help', 'kind', () => ({ a: count, b: 2 * count }));
  gauge(registry, 'waiting', 'Help', () => 10 - count);
  const series = ['handled_total{', 'handled_by_kind_total{kind="a"', 'handled_by_kind_total{kind="b"', 'waiting{'];
  const values = () => Promise.all(series.map((each) => sample(registry, each)));
  expect(await values()).toEqual(['1', '1', '2', '9']);
  count = 3;
  expect(await values()).toEqual(['3', '3', '6', '7']);
});

test('exports whether a circuit breaker rejects calls', async () => {
  const registry = createMetrics('test');
  let at = 0;
  const breaker = new Breaker(2, 500, () => at);
  meterBreaker(registry, breaker, 'links', 'Tags');
  meterBreaker(registry, new Breaker(), 'identity_provider');
  const value = () => sample(registry, 'tautan_circuit_breaker_open{peer="links",rpc_service="Tags"');
  const values = [await value()];
  for (const step of ['failed', 'failed', 'failed', 'succeeded', 'failed'] as const) {
    breaker[step]();
    values.push(await value());
  }
  expect(values).toEqual(['0', '0', '1', '1', '0', '0']);
  breaker.failed();
  expect(await value()).toBe('1');
  // An open breaker counts as rejecting calls for one minute after the last refused or failed call.
  at += 60_001;
  expect(await value()).toBe('0');
});

test('the expiry of a certificate is read from its file on each scrape', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-certificates-'));
  const path = join(folder, 'tls.crt');
  const registry = createMetrics('test');
  meterCertificates(registry, { rpc: path, nats: undefined });
  const value = (use: string) => sample(registry, `tautan_certificate_expiry_timestamp_seconds{use="${use}"`);
  expect(await value('rpc')).toBe('0');
  await writeFile(path, valid.cert);
  expect(new Date(Number(await value('rpc')) * 1_000).getUTCFullYear()).toBe(2120);
  expect(await value('nats')).toBeUndefined();
  // A certificate with an intermediate that expires earlier.
  await writeFile(path, valid.cert + expired.cert);
  expect(new Date(Number(await value('rpc')) * 1_000).getUTCFullYear()).toBe(2021);
  await writeFile(path, valid.key + valid.cert);
  expect(new Date(Number(await value('rpc')) * 1_000).getUTCFullYear()).toBe(2120);
  await writeFile(path, 'not a certificate');
  expect(await value('rpc')).toBe('0');
  await rm(folder, { recursive: true });
});
