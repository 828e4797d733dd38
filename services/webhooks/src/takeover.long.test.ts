import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { allowedMs, freePort, startProcess, until, type ServiceProcess } from '@tautan/kit/testing';
import { Receiver } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

const HOUR_MS = 3_600_000;
/** Settings of a replica whose clock is one hour ahead. */
const AHEAD = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
  const Real = Date;
  const now = () => Real.now() + ${HOUR_MS};
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, newTarget) => Reflect.construct(target, given.length > 0 ? given : [now()], newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });`)}`,
};

let service: TestService;
let receiver: Receiver;
const processes: ServiceProcess[] = [];
beforeEach(async () => {
  service = await startService();
  receiver = await Receiver.start();
  receiver.respond = (_request, response) => void setTimeout(100).then(() => response.writeHead(200).end());
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.kill()));
  await service.stop();
  await receiver.stop();
});

async function aReplica(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const replica = await startProcess(join(import.meta.dirname, 'main.js'), { ...service.settings, ...settings });
  processes.push(replica);
  return replica;
}

/** Creates an endpoint and publishes `count` events for it, which no replica has consumed yet. */
async function aBacklog(count: number) {
  const caller = service.as();
  await caller.anEndpoint(receiver.url());
  // From here on, separate processes deliver, so that they can be killed and paused.
  await service.stopService();
  for (let i = 0; i < count; i += 1) await service.publish(anEvent(caller.workspaceId));
  const arrived = () => receiver.received;
  const succeeded = () =>
    service.models.deliveries.countDocuments({ workspaceId: caller.workspaceId, status: 'succeeded' });
  return { arrived, succeeded };
}

/** Waits until the next request arrives. Returns the duration in milliseconds. */
async function untilNext(arrived: () => unknown[]): Promise<number> {
  const [before, began] = [arrived().length, performance.now()];
  await until(() => arrived().length > before, 60_000);
  return performance.now() - began;
}

/** Returns the replica that processes the queue, followed by the other one. */
async function byOwnership(replicas: ServiceProcess[]): Promise<[ServiceProcess, ServiceProcess]> {
  const processing = await Promise.all(
    replicas.map(async ({ ports }) => {
      const metrics = await (await fetch(`http://127.0.0.1:${ports['admin']}/metrics`)).text();
      return /^tautan_webhook_endpoints_in_progress\S* 1$/m.test(metrics);
    }),
  );
  expect(processing.filter(Boolean)).toHaveLength(1);
  return (processing[0] ? replicas : replicas.toReversed()) as [ServiceProcess, ServiceProcess];
}

test('a replica that is killed and restarted continues without waiting for its previous lease to expire', async () => {
  const settings = { RPC_PORT: String(await freePort()), LEASE_MS: '60000' };
  const { arrived } = await aBacklog(200);
  for (let kill = 0; kill < 3; kill += 1) {
    const replica = await aReplica(settings);
    if (kill > 0) expect(await untilNext(arrived)).toBeLessThan(allowedMs(10_000));
    await until(() => arrived().length >= 10 * (kill + 1));
    await replica.kill();
    // Wait until the last request in flight has arrived.
    await setTimeout(200);
  }
}, 120_000);

test('delivery continues on another replica within seconds of a kill', async () => {
  const { arrived } = await aBacklog(300);
  const replicas = [await aReplica(), await aReplica()];
  await until(() => arrived().length >= 10);
  const [owner] = await byOwnership(replicas);
  await owner.kill();
  expect(await untilNext(arrived)).toBeLessThan(allowedMs(10_000));
}, 120_000);

test('after a kill, delivery continues on a replica that was idle when the work began', async () => {
  // Most of the events must still be waiting when the replica is killed, on a slow machine too.
  receiver.respond = (_request, response) => void setTimeout(1_000).then(() => response.writeHead(200).end());
  const caller = service.as();
  await caller.anEndpoint(receiver.url());
  await service.stopService();
  const replicas = [await aReplica(), await aReplica()];
  // Longer than a replica stays active after its start.
  await setTimeout(4_000);
  for (let i = 0; i < 400; i += 1) await service.publish(anEvent(caller.workspaceId));
  await until(async () => (await service.models.deliveries.countDocuments()) === 400);
  // Longer than a wake-up keeps a replica active.
  await setTimeout(2_500);
  const [owner] = await byOwnership(replicas);
  await owner.kill();
  expect(await untilNext(() => receiver.received)).toBeLessThan(allowedMs(10_000));
}, 120_000);

test('takes over from a replica whose clock was an hour ahead, and delivers without delay', async () => {
  const { arrived, succeeded } = await aBacklog(60);
  const ahead = await aReplica(AHEAD);
  await until(() => arrived().length >= 10);
  await ahead.kill();
  await aReplica();
  expect(await untilNext(arrived)).toBeLessThan(allowedMs(10_000));
  await until(async () => (await succeeded()) === 60);
}, 120_000);

test('a replica that was paused delivers nothing under its expired lease', async () => {
  const { arrived, succeeded } = await aBacklog(200);
  const replicas = [await aReplica(), await aReplica()];
  await until(() => arrived().length >= 10);
  const [paused, other] = await byOwnership(replicas);
  paused.child.kill('SIGSTOP');
  await setTimeout(500);
  const beforeTakeover = arrived().length;
  expect(await untilNext(arrived)).toBeLessThan(allowedMs(10_000));
  paused.child.kill('SIGCONT');
  await until(async () => (await succeeded()) === 200, 60_000);
  // The other replica sends the deliveries that were waiting in the paused one, which must not send them as well.
  const ids = arrived()
    .slice(beforeTakeover)
    .map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(new Set(ids).size);
  expect((await byOwnership(replicas))[0]).toBe(other);
}, 120_000);
