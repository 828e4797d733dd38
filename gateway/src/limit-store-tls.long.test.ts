import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog, createMetrics } from '@tautan/kit';
import { createCertificateAuthority, eventually, until } from '@tautan/kit/testing';
import { openLimitStore } from './limit-store.js';
import { hasRedis, startRedis } from './testing/redis.js';

(hasRedis ? describe : describe.skip)('a shared limit store with TLS', () => {
  const [authority, other] = [createCertificateAuthority(), createCertificateAuthority()];
  let redis: Awaited<ReturnType<typeof startRedis>>;
  beforeAll(async () => void (redis = await startRedis(undefined, { ca: authority.ca, ...authority.issue('redis') })));
  afterAll(() => redis.stop());

  /** Opens the store with these settings. `isShared` returns 1 while limits are counted in Redis, 0 otherwise. */
  const open = async (settings: Record<string, string>) => {
    const registry = createMetrics('test');
    const store = await openLimitStore({
      redis: { REDIS_URL: redis.url, ...settings },
      registry,
      log: createLog('test', 'silent'),
    });
    const isShared = async () => (await registry.getSingleMetric('tautan_rate_limits_shared')!.get()).values[0]!.value;
    return { store, isShared };
  };

  test('connects with a client certificate of the authority that Redis trusts', async () => {
    const { cert, key } = authority.issue('gateway');
    const { store, isShared } = await open({ REDIS_TLS_CA: authority.ca, REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key });
    await until(async () => (await isShared()) === 1);
    const limiter = store.limiter('tls', { points: 2, seconds: 60 });
    for (let i = 0; i < 3; i += 1) await limiter.consume('a');
    await eventually(async () => expect(await isShared()).toBe(1));
    store.close();
  });

  test('reads the certificate files again when it reconnects', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tautan-redis-'));
    const paths = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const replaceWith = (one: typeof authority): void => {
      const issued = { ca: one.ca, ...one.issue('gateway') };
      for (const name of ['ca', 'cert', 'key'] as const) copyFileSync(issued[name], paths[name]);
    };
    replaceWith(authority);
    const before = await startRedis(undefined, { ca: authority.ca, ...authority.issue('redis') });
    const { store, isShared } = await open({ REDIS_URL: before.url, REDIS_TLS_CA: paths.ca, ...certSettings(paths) });
    await until(async () => (await isShared()) === 1);
    await before.stop();
    const limiter = store.limiter('tls', { points: 2, seconds: 60 });
    await eventually(async () => {
      await limiter.consume('a');
      expect(await isShared()).toBe(0);
    });
    replaceWith(other);
    const after = await startRedis(before.port, { ca: other.ca, ...other.issue('redis') });
    await until(async () => (await isShared()) === 1);
    store.close();
    await after.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['without a client certificate', () => ({ REDIS_TLS_CA: authority.ca })],
    [
      'with a client certificate of another authority',
      () => ({ REDIS_TLS_CA: authority.ca, ...certSettings(other.issue('gateway')) }),
    ],
    [
      'if the client trusts only another authority',
      () => ({ REDIS_TLS_CA: other.ca, ...certSettings(authority.issue('gateway')) }),
    ],
  ])('does not connect %s', async (_name, settings) => {
    const { store, isShared } = await open(settings());
    const limiter = store.limiter('tls', { points: 2, seconds: 60 });
    for (let i = 0; i < 20; i += 1) {
      await limiter.consume('a');
      expect(await isShared()).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    store.close();
  });
});

const certSettings = ({ cert, key }: { cert: string; key: string }) => ({ REDIS_TLS_CERT: cert, REDIS_TLS_KEY: key });
