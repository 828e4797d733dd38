import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { readWebhooksConfig } from './config.js';
import { start } from './main.js';
import { Receiver } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

let service: TestService;
let receiver: Receiver;
/** Requests that were not answered yet, by path, and the most that there ever were. */
const open = new Map<string, number>();
const most = new Map<string, number>();

beforeAll(async () => {
  service = await startService({ ATTEMPT_TIMEOUT_MS: '1500', LEASE_MS: '3000', ENDPOINTS_AT_ONCE: '6' });
  receiver = await Receiver.start();
  receiver.respond = ({ path }, response, socket) => {
    const now = (open.get(path) ?? 0) + 1;
    open.set(path, now);
    most.set(path, Math.max(most.get(path) ?? 0, now));
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
const tell = async (workspaceId: string, count: number) => {
  for (let i = 0; i < count; i += 1) await service.tell(anEvent(workspaceId));
};

describe('an endpoint', () => {
  test('has four attempts under way at most', async () => {
    const caller = service.as();
    const path = aPath('slow');
    await caller.anEndpoint(receiver.url(path));
    await tell(caller.workspaceId, 40);
    await until(() => receiver.at(path).length === 40);
    expect(most.get(path)).toBe(4);
  });

  test('has four at most over all replicas together', async () => {
    const settings = { ...service.settings, RPC_PORT: '0', ADMIN_PORT: '0' };
    const others = [await start(readWebhooksConfig(settings)), await start(readWebhooksConfig(settings))];
    const callers = Array.from({ length: 6 }, () => ({ caller: service.as(), path: aPath('slow') }));
    for (const { caller, path } of callers) await caller.anEndpoint(receiver.url(path));
    for (let i = 0; i < 30; i += 1) for (const { caller } of callers) await service.tell(anEvent(caller.workspaceId));
    await until(() => callers.every(({ path }) => receiver.at(path).length === 30), 20_000);
    for (const { path } of callers) expect(most.get(path)).toBeLessThanOrEqual(4);
    for (const { caller } of callers) {
      await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 30);
      expect((await caller.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    }
    for (const other of others) await other.stop();
    expect(await service.models.queues.countDocuments({ owner: { $ne: null } })).toBeLessThanOrEqual(6);
  }, 60_000);

  test('that hangs does not delay another, with more of them hanging than there are places', async () => {
    const hanging = Array.from({ length: 12 }, () => ({ caller: service.as(), path: aPath('hang') }));
    for (const { caller, path } of hanging) await caller.anEndpoint(receiver.url(path));
    for (const { caller } of hanging) await tell(caller.workspaceId, 6);
    // Until each is known for one that fails: the first attempts of six at a time take the time-out.
    await until(async () => (await service.models.queues.countDocuments({ failing: true })) >= 12, 20_000);
    const caller = service.as();
    const path = aPath('ok');
    await caller.anEndpoint(receiver.url(path));
    for (let i = 0; i < 20; i += 1) {
      const { at } = await service.tell(anEvent(caller.workspaceId));
      await until(() => receiver.at(path).length === i + 1);
      expect(receiver.at(path)[i]!.at - Date.parse(at)).toBeLessThan(1_000);
    }
    // Each hanging one gets its turn all the same, one attempt at a time.
    await until(() => hanging.every(({ path: other }) => receiver.at(other).length >= 6), 30_000);
  }, 90_000);

  test('of a workspace with a long queue does not keep a short one waiting', async () => {
    const [busy, calm] = [service.as(), service.as()];
    const [long, short] = [aPath('slow'), aPath('ok')];
    await busy.anEndpoint(receiver.url(long));
    await calm.anEndpoint(receiver.url(short));
    await tell(busy.workspaceId, 300);
    const { at } = await service.tell(anEvent(calm.workspaceId));
    await until(() => receiver.at(short).length === 1);
    expect(receiver.at(short)[0]!.at - Date.parse(at)).toBeLessThan(2_000);
    expect(receiver.at(long).length).toBeLessThan(300);
    await until(() => receiver.at(long).length === 300, 30_000);
  }, 90_000);
});

describe('a replica', () => {
  test('that stops gives back what it has, and another goes on', async () => {
    const settings = { ...service.settings, RPC_PORT: '0', ADMIN_PORT: '0', LEASE_MS: '60000' };
    const caller = service.as();
    const path = aPath('slow');
    await caller.anEndpoint(receiver.url(path));
    await service.stopService();
    const first = await start(readWebhooksConfig(settings));
    await tell(caller.workspaceId, 60);
    await until(() => receiver.at(path).length > 8);
    await first.stop();
    expect(receiver.at(path).length).toBeLessThan(60);
    expect(open.get(path)).toBe(0);
    expect(await service.models.queues.countDocuments({ owner: { $ne: null } })).toBe(0);
    const second = await start(readWebhooksConfig(settings));
    const { deliveries } = service.models;
    const { workspaceId } = caller;
    const done = async () => (await deliveries.countDocuments({ workspaceId, status: 'succeeded' })) === 60;
    // An event that was on its way to the first one when that stopped comes again after ten seconds.
    await until(done, 40_000).finally(() => second.stop());
    expect(receiver.at(path)).toHaveLength(60);
  }, 90_000);
});
