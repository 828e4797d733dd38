import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allowedMs, until } from '@tautan/kit/testing';
import { readWebhooksConfig } from './config.js';
import { start } from './main.js';
import { Receiver } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

let service: TestService;
let receiver: Receiver;
/** Number of requests in progress, by path. */
const open = new Map<string, number>();
/** The highest number of concurrent requests so far, by path. */
const maxOpen = new Map<string, number>();

beforeAll(async () => {
  service = await startService({ ATTEMPT_TIMEOUT_MS: '1500', LEASE_MS: '3000', ENDPOINTS_AT_ONCE: '6' });
  receiver = await Receiver.start();
  receiver.respond = ({ path }, response, socket) => {
    const now = (open.get(path) ?? 0) + 1;
    open.set(path, now);
    maxOpen.set(path, Math.max(maxOpen.get(path) ?? 0, now));
    const done = (): void => void open.set(path, open.get(path)! - 1);
    socket.once('close', () => !response.writableEnded && done());
    if (path.startsWith('/hang')) return;
    setTimeout(
      () => {
        done();
        response.writeHead(200).end();
      },
      path.startsWith('/slow') ? 100 : 0,
    );
  };
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

let paths = 0;
const aPath = (kind: string): string => `/${kind}/${(paths += 1)}`;
const publishMany = async (workspaceId: string, count: number) => {
  for (let i = 0; i < count; i += 1) await service.publish(anEvent(workspaceId));
};

describe('an endpoint', () => {
  test('has at most four concurrent attempts', async () => {
    const caller = service.as();
    const path = aPath('slow');
    await caller.anEndpoint(receiver.url(path));
    await publishMany(caller.workspaceId, 40);
    await until(() => receiver.at(path).length === 40);
    expect(maxOpen.get(path)).toBe(4);
  });

  test('has at most four concurrent attempts across all replicas', async () => {
    const settings = { ...service.settings, RPC_PORT: '0', ADMIN_PORT: '0' };
    const others = [await start(readWebhooksConfig(settings)), await start(readWebhooksConfig(settings))];
    const callers = Array.from({ length: 6 }, () => ({ caller: service.as(), path: aPath('slow') }));
    for (const { caller, path } of callers) await caller.anEndpoint(receiver.url(path));
    for (let i = 0; i < 30; i += 1)
      for (const { caller } of callers) await service.publish(anEvent(caller.workspaceId));
    await until(() => callers.every(({ path }) => receiver.at(path).length === 30));
    for (const { path } of callers) expect(maxOpen.get(path)).toBeLessThanOrEqual(4);
    for (const { caller } of callers) {
      await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 30);
      expect((await caller.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    }
    for (const other of others) await other.stop();
    expect(await service.models.queues.countDocuments({ owner: { $ne: null } })).toBeLessThanOrEqual(6);
  });

  test('that hangs does not delay another, even with more hanging endpoints than slots', async () => {
    const hanging = Array.from({ length: 12 }, () => ({ caller: service.as(), path: aPath('hang') }));
    for (const { caller, path } of hanging) await caller.anEndpoint(receiver.url(path));
    for (const { caller } of hanging) await publishMany(caller.workspaceId, 6);
    // Wait until each is marked as failing. This takes two timeouts, because only six endpoints that are not yet marked
    // are served at a time.
    await until(async () => (await service.models.queues.countDocuments({ failing: true })) >= 12);
    const caller = service.as();
    const path = aPath('ok');
    await caller.anEndpoint(receiver.url(path));
    for (let i = 0; i < 20; i += 1) {
      const { at } = await service.publish(anEvent(caller.workspaceId));
      await until(() => receiver.at(path).length === i + 1);
      expect(receiver.at(path)[i]!.at - Date.parse(at)).toBeLessThan(allowedMs(1_000));
    }
    // Each hanging endpoint still gets its turn, one attempt at a time.
    await until(() => hanging.every(({ path: other }) => receiver.at(other).length >= 6), 30_000);
  }, 90_000);

  test('with a long queue does not delay a short queue of another workspace', async () => {
    const [busy, calm] = [service.as(), service.as()];
    const [long, short] = [aPath('slow'), aPath('ok')];
    await busy.anEndpoint(receiver.url(long));
    await calm.anEndpoint(receiver.url(short));
    await publishMany(busy.workspaceId, 300);
    const { at } = await service.publish(anEvent(calm.workspaceId));
    await until(() => receiver.at(short).length === 1);
    expect(receiver.at(short)[0]!.at - Date.parse(at)).toBeLessThan(allowedMs(2_000));
    expect(receiver.at(long).length).toBeLessThan(300);
    await until(() => receiver.at(long).length === 300, 30_000);
  }, 90_000);
});

describe('a replica', () => {
  test('releases its queues when it stops, and another continues', async () => {
    const settings = { ...service.settings, RPC_PORT: '0', ADMIN_PORT: '0', LEASE_MS: '60000' };
    const caller = service.as();
    const path = aPath('slow');
    await caller.anEndpoint(receiver.url(path));
    await service.stopService();
    const first = await start(readWebhooksConfig(settings));
    await publishMany(caller.workspaceId, 60);
    await until(() => receiver.at(path).length > 8);
    await first.stop();
    expect(receiver.at(path).length).toBeLessThan(60);
    expect(open.get(path)).toBe(0);
    expect(await service.models.queues.countDocuments({ owner: { $ne: null } })).toBe(0);
    const second = await start(readWebhooksConfig(settings));
    const { deliveries } = service.models;
    const { workspaceId } = caller;
    const done = async () => (await deliveries.countDocuments({ workspaceId, status: 'succeeded' })) === 60;
    // An event that was in flight to the first replica when the replica stopped is redelivered after two seconds.
    await until(done, 40_000).finally(() => second.stop());
    expect(receiver.at(path)).toHaveLength(60);
  }, 90_000);
});
