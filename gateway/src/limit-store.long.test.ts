import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog, createMetrics } from '@tautan/kit';
import { allowedMs, eventually, until } from '@tautan/kit/testing';
import { openLimitStore } from './limit-store.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { hasRedis, startRedis } from './testing/redis.js';

/** Maximum reads, and maximum writes, per second. Low enough to be exceeded on a busy machine. */
const RATE_LIMIT = 8;

const settings = { PLAN_FREE: JSON.stringify({ rateLimits: { read: RATE_LIMIT, write: RATE_LIMIT } }) };
const read = async (gateway: TestGateway): Promise<number> =>
  (await gateway.request('GET', '/tags', undefined, { authorization: `Bearer ${gateway.services.freeKey}` })).status;
const reads = (gateway: TestGateway, n: number) => Promise.all(Array.from({ length: n }, () => read(gateway)));
const metric = async ({ adminUrl }: TestGateway, name: string): Promise<number> => {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
};
const expectShared = (gateway: TestGateway, value: number) =>
  eventually(async () => expect(await metric(gateway, 'tautan_rate_limits_shared')).toBe(value));

test('without a shared store, each replica counts separately and reports it', async () => {
  const gateway = await startGateway(settings);
  try {
    await expectShared(gateway, 0);
    expect((await reads(gateway, RATE_LIMIT + 5)).filter((status) => status === 200)).toHaveLength(RATE_LIMIT);
  } finally {
    await gateway.stop();
  }
});

test('the password of the shared store is not logged when the store refuses it', async () => {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).on('data', () => socket.write('-WRONGPASS invalid username-password pair\r\n')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'tautan-limit-store-'));
  const path = join(folder, 'log');
  const fd = openSync(path, 'a');
  const store = await openLimitStore({
    redis: { REDIS_URL: `redis://tautan:a-password@127.0.0.1:${port}/0` },
    registry: createMetrics('test'),
    log: createLog('test', 'trace', fd),
  });
  try {
    await eventually(() => expect(readFileSync(path, 'utf8')).toContain('WRONGPASS'));
    expect(readFileSync(path, 'utf8')).not.toContain('a-password');
  } finally {
    store.close();
    server.close();
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
});

(hasRedis ? describe : describe.skip)('with a shared store', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let gateways: TestGateway[];

  beforeEach(async () => {
    redis = await startRedis();
    const withRedis = { ...settings, REDIS_URL: redis.url };
    gateways = await Promise.all([startGateway(withRedis), startGateway(withRedis), startGateway(withRedis)]);
    for (const gateway of gateways) await expectShared(gateway, 1);
  });
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await redis.stop();
  });

  test('three replicas together admit the configured rate under load', async () => {
    const failures = async (): Promise<number[]> =>
      Promise.all(gateways.map((gateway) => metric(gateway, 'tautan_rate_limit_store_failures_total')));
    // On a busy machine, the store can respond too late, and a replica then counts separately. In that case, the
    // measurement is repeated.
    const { statuses, seconds } = await until(async () => {
      const before = await failures();
      const began = performance.now();
      const statuses: number[] = [];
      while (performance.now() - began < 2_800) {
        const round = Promise.all(gateways.map((gateway) => reads(gateway, 7)));
        statuses.push(...(await round).flat());
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const seconds = Math.ceil((performance.now() - began) / 1_000);
      return `${await failures()}` === `${before}` && { statuses, seconds };
    });
    const admitted = statuses.filter((status) => status === 200).length;
    expect(statuses.length).toBeGreaterThan(seconds * RATE_LIMIT * 1.5);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(admitted).toBeLessThanOrEqual(seconds * RATE_LIMIT * 1.1);
    expect(admitted).toBeGreaterThanOrEqual((seconds - 1) * RATE_LIMIT);
  });

  test('while the store is down, replicas count separately and report it', async () => {
    await redis.stop();
    for (const gateway of gateways) {
      const statuses = await reads(gateway, RATE_LIMIT + 5);
      expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMIT);
      expect(statuses.filter((status) => status === 429)).toHaveLength(5);
      await expectShared(gateway, 0);
      expect(await metric(gateway, 'tautan_rate_limit_store_failures_total')).toBeGreaterThan(0);
    }
    const readiness = async () => (await fetch(`${gateways[0]!.adminUrl}/readyz`)).text();
    await eventually(async () => expect(await readiness()).toBe('degraded: nats, redis\n'));
    redis = await startRedis(redis.port);
    for (const gateway of gateways) await expectShared(gateway, 1);
    await eventually(async () => expect(await readiness()).toBe('degraded: nats\n'));
    const changes = (await (await fetch(`${gateways[0]!.adminUrl}/metrics`)).text()).match(
      /tautan_connection_changes_total\{connection="redis".*/g,
    );
    expect(changes?.map((line) => line.split(' ')[1])).toEqual(['1', '1']);
  });

  test('an unresponsive store does not delay requests', async () => {
    redis.process.kill('SIGSTOP');
    const began = performance.now();
    expect(await read(gateways[0]!)).toBe(200);
    expect(await read(gateways[0]!)).toBe(200);
    expect(performance.now() - began).toBeLessThan(allowedMs(1_000));
    redis.process.kill('SIGCONT');
    await eventually(async () => {
      await read(gateways[0]!);
      expect(await metric(gateways[0]!, 'tautan_rate_limits_shared')).toBe(1);
    });
  });
});
