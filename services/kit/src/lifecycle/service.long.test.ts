import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { mongoSettings, natsSettings, processSettings, readConfig } from '../config/config.js';
import { rpcSettings } from '../config/rpc-settings.js';
import { createCollections, deadLetterSchema, type DeadLetter } from '../mongo/index.js';
import { rpcClient, rpcTable } from '../rpc/index.js';
import { freePort } from '../testing/free-port.js';
import { refusesCalls, startRunningCall } from '../testing/running-call.js';
import { startServers } from '../testing/servers.js';
import { until } from '../testing/until.js';
import { startService, type ServiceContext } from './service.js';

afterEach(() => void jest.useRealTimers());

const schema = z.object({
  ...processSettings,
  ...mongoSettings('test'),
  ...natsSettings,
  ...rpcSettings('billing'),
});
const configWith = (settings: Record<string, string>) =>
  readConfig(schema, {
    LOG_LEVEL: 'silent',
    BIND_HOST: '127.0.0.1',
    RPC_PORT: '0',
    OPERATOR_PORT: '0',
    ADMIN_PORT: '0',
    MONGODB_URI: 'mongodb://127.0.0.1:1',
    NATS_URL: 'nats://127.0.0.1:1',
    ...settings,
  });

test('on stop, the gRPC server refuses calls even while an operator call is still running', async () => {
  const config = configWith({ DRAIN_TIMEOUT_MS: '9000' });
  const running = await startService({ name: 'test', config, createModels: () => ({}) }, () => []);
  expect(running.drainMs).toBe(9_000);
  const { ports } = running;
  const call = await startRunningCall(ports['operator']!);
  const stopped = running.stop();
  await until(() => refusesCalls(ports['grpc']!));
  expect(call.isRunning()).toBe(true);
  call.end();
  await stopped;
  expect(await refusesCalls(ports['operator']!)).toBe(true);
  await expect(fetch(`http://127.0.0.1:${ports['admin']}/healthz`)).rejects.toThrow('fetch failed');
});

test('on stop, running calls are canceled a second before the drain must end', async () => {
  const config = configWith({ DRAIN_TIMEOUT_MS: '9000' });
  const running = await startService({ name: 'test', config, createModels: () => ({}) }, () => []);
  const calls = [await startRunningCall(running.ports['grpc']!), await startRunningCall(running.ports['operator']!)];
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
  const stopped = running.stop();
  await until(() => refusesCalls(running.ports['grpc']!));
  jest.advanceTimersByTime(7_999);
  // This round trip leaves time for a premature cancellation to arrive.
  expect(await refusesCalls(running.ports['operator']!)).toBe(true);
  expect(calls.map((call) => call.isRunning())).toEqual([true, true]);
  jest.advanceTimersByTime(1);
  jest.useRealTimers();
  await stopped;
  await until(() => calls.every((call) => !call.isRunning()));
});

test.each([
  ['RPC_PORT', 'cannot be used for gRPC'],
  ['ADMIN_PORT', 'is already in use'],
  ['OPERATOR_PORT', 'cannot be used for gRPC'],
])('a service that cannot start because its %s is in use leaves nothing running', async (setting, problem) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const takenPort = (other.address() as AddressInfo).port;
  const ports = { RPC_PORT: await freePort(), ADMIN_PORT: await freePort(), OPERATOR_PORT: await freePort() };
  const others = Object.entries(ports).filter(([name]) => name !== setting);
  const config = configWith({
    ...Object.fromEntries(others.map(([name, port]) => [name, String(port)])),
    [setting]: String(takenPort),
  });
  let context!: ServiceContext<object>;
  const starting = startService({ name: 'test', config, createModels: () => ({}) }, (given) => {
    context = given;
    return [];
  });
  await expect(starting).rejects.toThrow(`Port ${takenPort} on 127.0.0.1 ${problem}`);
  for (const [, port] of others) expect(await refusesCalls(port)).toBe(true);
  // There is no database, so this resolves only if the failed start has closed the connection.
  await context.mongo.whenReady;
  other.close();
});

test('a service is ready once its database is prepared, and reports a database that becomes unavailable', async () => {
  const servers = await startServers();
  const config = configWith({
    MONGODB_URI: servers.mongodbUri,
    MONGODB_DATABASE: servers.database,
    MONGODB_POOL_SIZE: '7',
    NATS_URL: servers.natsUrl,
  });
  const createModels = (connection: Connection) => ({
    deadLetters: connection.model<DeadLetter>('dead_letters', deadLetterSchema(), 'dead_letters'),
  });
  let prepareNow!: () => void;
  const mayPrepare = new Promise<void>((resolve) => (prepareNow = resolve));
  const prepare = (models: object) => mayPrepare.then(() => createCollections(models));
  let context!: ServiceContext<ReturnType<typeof createModels>>;
  const running = await startService({ name: 'test', config, createModels, prepare }, (given) => {
    context = given;
    const GetUsage = async () => ({ used: { links: await given.models.deadLetters.countDocuments() } });
    return [rpcTable(rpcServices.usage, { GetUsage })];
  });
  const { grpc, admin, operator } = running.ports;
  const page = async (path: string) => (await fetch(`http://127.0.0.1:${admin}${path}`)).text();
  const usage = rpcClient(rpcServices.usage, { address: `127.0.0.1:${grpc}` });
  const processes = rpcClient(operatorServices.processes, { address: `127.0.0.1:${operator}` });
  const sharding = rpcClient(operatorServices.sharding, { address: `127.0.0.1:${operator}` });
  const options = { requestId: 'req_test', timeoutMs: 15_000 };
  const getUsage = () => usage.call('GetUsage', {}, options);
  const shard = () => sharding.call('ShardCollections', { apply: false }, options);

  for (const name of ['mongodb', 'nats'])
    await until(async () => new RegExp(`^tautan_connection_up{.*"${name}".*} 1$`, 'm').test(await page('/metrics')));
  expect(await page('/readyz')).toBe('not ready: mongodb\n');
  expect(await page('/metrics')).toMatch(/^tautan_dead_letters{.*} Nan$/im);
  await expect(getUsage()).rejects.toMatchObject({ message: 'The service is starting. Try again in a moment.' });

  prepareNow();
  await until(async () => (await page('/readyz')) === 'ready\n');
  const { mongo, models, bus } = context;
  const collections = await mongo.connection.db!.listCollections().toArray();
  expect(collections.map(({ name }) => name).sort()).toEqual(['dead_letters', 'outbox']);
  expect(mongo.connection.name).toBe(servers.database);
  expect(mongo.connection.getClient().options).toMatchObject({ appName: 'test', maxPoolSize: 7 });
  await models.deadLetters.create({ _id: 'a', subject: 's', payload: Buffer.of(1), reason: 'r', at: new Date() });
  expect(await getUsage()).toEqual({ used: { links: 1 } });
  expect(await page('/metrics')).toMatch(/^tautan_dead_letters{.*} 1$/m);
  const description = () => processes.call('GetProcess', {}, options);
  const connections = (mongodb: boolean) =>
    [{ name: 'mongodb', connected: mongodb }, expect.objectContaining({ name: 'nats' })] as unknown[];
  expect(await description()).toMatchObject({ service: 'test', connections: connections(true) });
  await expect(shard()).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'MONGODB_URI' });

  await servers.stop();
  await until(async () => {
    await description();
    return (await page('/readyz')) === 'not ready: mongodb\ndegraded: nats\n';
  });
  expect(await description()).toMatchObject({ connections: connections(false) });
  for (const call of [getUsage, shard])
    await expect(call()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'The database is unavailable. Try again in a moment.',
    });

  for (const client of [usage, processes, sharding]) client.close();
  await running.stop();
  expect([mongo.connection.readyState, bus.connected]).toEqual([0, false]);
});
