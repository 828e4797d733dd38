import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startMongo } from '@tautan/local-mongo';
import mongoose from 'mongoose';
import { newUlid } from '../values/ids.js';
import { createLog } from '../telemetry/log.js';
import { until } from '../testing/until.js';
import { connectMongo, explainMongo, isDatabaseUnavailable, type Mongo, type MongoOptions } from './connection.js';

const log = createLog('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'tautan-mongo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connecting = (uri: string, prepare: MongoOptions['prepare'] = async () => {}) =>
  connectMongo({ uri, database: 'test', name: 'test', log, prepare });

describe('a database', () => {
  test('that is unavailable does not prevent startup, is reported as not ready, and is used once it starts', async () => {
    const dataDir = join(folder, newUlid());
    const first = await startMongo({ dataDir });
    await first.stop();
    let prepared = 0;
    const mongo = connecting(first.uri, async (connection) => {
      prepared += 1;
      if (prepared === 1) throw new Error('the first try fails');
      await connection.createCollection('things');
    });
    expect(mongo.ready()).toBe(false);
    const error: unknown = await (async () => mongo.connection.collection('things').findOne({}))().catch(
      (cause: unknown) => cause,
    );
    expect(explainMongo(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const server = await startMongo({ dataDir, port: first.port });
    await mongo.whenReady;
    expect([mongo.ready(), prepared]).toEqual([true, 2]);
    await mongo.close();
    await server.stop();
  });

  test('that becomes unavailable during preparation is used again by the same client, so that sessions stay valid', async () => {
    const dataDir = join(folder, newUlid());
    let server = await startMongo({ dataDir });
    const clients = new Set<unknown>();
    let prepared = 0;
    const mongo = connecting(server.uri, async (connection) => {
      clients.add(connection.getClient());
      prepared += 1;
      if (prepared > 1) return;
      await server.stop();
      await until(() => connection.readyState !== mongoose.ConnectionStates.connected);
      server = await startMongo({ dataDir, port: server.port });
      throw new Error('the first try fails');
    });
    await mongo.whenReady;
    expect([prepared, clients.size]).toEqual([2, 1]);
    await mongo.close();
    await server.stop();
  });

  test('that becomes unavailable makes calls fail within their timeout until it is available again', async () => {
    const dataDir = join(folder, newUlid());
    let server = await startMongo({ dataDir });
    const changes: boolean[] = [];
    const onChange = (connected: boolean) => void changes.push(connected);
    const mongo = connectMongo({
      uri: server.uri,
      database: 'test',
      name: 'test',
      log,
      prepare: async () => {},
      onChange,
    });
    await mongo.whenReady;
    const things = mongo.connection.collection<{ _id: string }>('things');
    await things.insertOne({ _id: 'a' });
    expect(changes).toEqual([true]);
    await server.stop();
    const began = Date.now();
    const error: unknown = await things.findOne({ _id: 'a' }).catch((cause: unknown) => cause);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(Date.now() - began).toBeLessThan(2_900);
    // The driver polls this server every ten seconds.
    await until(() => !mongo.connected());
    server = await startMongo({ dataDir, port: server.port });
    await until(() => things.findOne({ _id: 'a' }).catch(() => undefined));
    await until(() => mongo.connected());
    expect(changes.slice(0, 3)).toEqual([true, false, true]);
    await mongo.close();
    await server.stop();
  });

  test('that is unavailable does not prevent the connection from being closed', async () => {
    const mongo = connecting('mongodb://127.0.0.1:1');
    const began = Date.now();
    await mongo.close();
    await mongo.whenReady;
    expect(Date.now() - began).toBeLessThan(4_000);
    expect(mongo.ready()).toBe(false);
  });
});

describe('a command that is larger than the buffers of a socket', () => {
  /** Starts a proxy to a server. `stall` stops reading from the clients. */
  const startProxy = async (target: number) => {
    const clients = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = connect(target, '127.0.0.1').on('error', () => client.destroy());
      clients.add(client.on('error', () => upstream.destroy()).on('close', () => clients.delete(client)));
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    return {
      uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
      stall: () => clients.forEach((client) => client.unpipe().pause()),
      reset: () => clients.forEach((client) => client.resetAndDestroy()),
      stop: () => {
        for (const client of clients) client.destroy();
        proxy.close();
      },
    };
  };
  const large = { text: 'x'.repeat(12_000_000) };

  test.each([
    ['between two checks of the monitor', () => sleep(300)],
    [
      'during a check of the monitor, which notices the failure first',
      ({ connection }: Mongo) => once(connection.getClient(), 'serverHeartbeatStarted'),
    ],
  ])('is sent again if its connection fails while the command is written, %s', async (_, moment) => {
    const server = await startMongo({ dataDir: join(folder, newUlid()) });
    const proxy = await startProxy(server.port);
    const mongo = connecting(proxy.uri);
    try {
      await mongo.whenReady;
      const things = mongo.connection.collection('things');
      await things.findOne({});
      proxy.stall();
      const insertion = things.insertOne(large);
      await moment(mongo);
      proxy.reset();
      expect(await insertion).toMatchObject({ acknowledged: true });
      expect(await things.countDocuments()).toBe(1);
    } finally {
      await mongo.close();
      proxy.stop();
      await server.stop();
    }
  });

  test('fails with SERVICE_UNAVAILABLE if the server stops reading', async () => {
    const server = await startMongo({ dataDir: join(folder, newUlid()) });
    const proxy = await startProxy(server.port);
    const client = new mongoose.mongo.MongoClient(proxy.uri, { socketTimeoutMS: 500, retryWrites: false });
    try {
      const things = client.db('test').collection('things');
      await things.findOne({});
      proxy.stall();
      const error: unknown = await things.insertOne(large).catch((cause: unknown) => cause);
      expect(explainMongo(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    } finally {
      await client.close();
      proxy.stop();
      await server.stop();
    }
  });
});

describe('a database error', () => {
  const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more });

  test.each([
    [named('MongoServerSelectionError'), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 91 }), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 14031 }), 'SERVICE_UNAVAILABLE'],
    // Errors of Node.js.
    [named('Error', { code: 'EPIPE' }), 'SERVICE_UNAVAILABLE'],
    [named('Error', { code: 'ECONNRESET' }), 'SERVICE_UNAVAILABLE'],
    [named('Error', { code: 'ERR_STREAM_DESTROYED' }), 'SERVICE_UNAVAILABLE'],
    [named('Error', { code: 'ERR_STREAM_PREMATURE_CLOSE' }), 'SERVICE_UNAVAILABLE'],
    [named('Error', { code: 'ENOENT' }), undefined],
    [named('MongoServerError', { code: 112 }), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 50 }), 'TIMEOUT'],
    [named('MongoOperationTimeoutError'), 'TIMEOUT'],
    [named('MongoServerError', { code: 11000 }), undefined],
    [new TypeError('a defect'), undefined],
    [undefined, undefined],
    [null, undefined],
    ['text', undefined],
  ])('%s is reported as %s', (error, code) => {
    expect(explainMongo(error)?.code).toBe(code);
  });

  test('of a commit with an unknown result is reported with a message that says so', () => {
    const hasErrorLabel = (label: string) => label === 'UnknownTransactionCommitResult';
    expect(explainMongo(named('MongoServerSelectionError', { hasErrorLabel }))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('A change may still have been applied.') as unknown,
    });
  });
});
