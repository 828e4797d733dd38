import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMongo, type Mongo } from '@tautan/local-mongo';
import { freePort, until } from '@tautan/kit/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Receiver } from './testing/receiver.js';
import { anEvent, startService, type TestService } from './testing/service.js';

/** The database's error code ExceededTimeLimit, which the service treats as temporary. */
const EXCEEDED_TIME_LIMIT = 262;

let service: TestService;
let receiver: Receiver;
let folder: string;
let mongo: Mongo;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tautan-webhooks-'));
  port = await freePort();
  mongo = await startMongo({ dataDir: folder, port });
  receiver = await Receiver.start();
  service = await startService({ MONGODB_URI: mongo.uri, ATTEMPT_TIMEOUT_MS: '1000', LEASE_MS: '2000' });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await mongo.stop();
  await rm(folder, { recursive: true, force: true });
});

test('loses nothing while the database is unavailable: attempts in flight are recorded, and published events are delivered', async () => {
  const caller = service.as();
  await caller.anEndpoint(receiver.url());
  // Stop the database while the receiver processes the first requests.
  let began = 0;
  receiver.respond = (_request, response) => {
    began += 1;
    setTimeout(() => response.writeHead(200).end(), 300);
  };
  const ids: string[] = [];
  for (let i = 0; i < 8; i += 1) ids.push((await service.publish(anEvent(caller.workspaceId))).id);
  await until(() => began >= 4);
  await mongo.stop();
  for (let i = 0; i < 8; i += 1) ids.push((await service.publish(anEvent(caller.workspaceId))).id);
  await expect(caller.call('ListEndpoints', {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  mongo = await startMongo({ dataDir: folder, port });
  const done = async () => (await caller.deliveries({ status: 'succeeded' }).catch(() => [])).length === ids.length;
  await until(done, 60_000);
  const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']!));
  expect([...arrived].sort()).toEqual(ids.sort());
  for (const { attempts } of await caller.deliveries()) expect(attempts).toBe(1);
}, 120_000);

test('repeats database commands that fail, and attempts each delivery once', async () => {
  const caller = service.as();
  const path = '/flaky';
  receiver.respond = (_request, response) => void response.writeHead(200).end();
  await caller.anEndpoint(receiver.url(path));
  const failPoint = (mode: unknown, data: object = {}) =>
    service.connection.db!.admin().command({
      configureFailPoint: 'failCommand',
      mode,
      data: {
        failCommands: ['insert', 'update', 'find', 'aggregate'],
        errorCode: EXCEEDED_TIME_LIMIT,
        appName: 'webhooks',
        ...data,
      },
    });
  await failPoint({ activationProbability: 0.3 });
  const ids: string[] = [];
  for (let i = 0; i < 60; i += 1) ids.push((await service.publish(anEvent(caller.workspaceId))).id);
  await until(() => new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size === 60, 60_000);
  await failPoint('off');
  await until(async () => (await caller.deliveries({ status: 'succeeded' })).length === 60, 30_000);
  expect((await caller.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
}, 120_000);

test('processes a claimed queue even if the read that follows the claim fails', async () => {
  const caller = service.as();
  const path = '/claimed';
  await caller.anEndpoint(receiver.url(path));
  const failPoint = (mode: unknown) =>
    service.connection.db!.admin().command({
      configureFailPoint: 'failCommand',
      mode,
      ...(mode !== 'off' && { data: { failCommands: ['find'], errorCode: EXCEEDED_TIME_LIMIT, appName: 'webhooks' } }),
    });
  // In some rounds, the read that follows the claim fails.
  for (let round = 1; round <= 12; round += 1) {
    await failPoint({ skip: round % 4 });
    await service.publish(anEvent(caller.workspaceId));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await failPoint('off');
    await until(() => receiver.at(path).length >= round, 10_000);
    // Wait until the queue is released, so that it has to be claimed again.
    await until(async () => (await service.models.queues.countDocuments({ owner: { $ne: null } })) === 0, 10_000);
  }
}, 120_000);
