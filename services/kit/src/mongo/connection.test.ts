import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startMongo } from '@tautan/local-mongo';
import mongoose from 'mongoose';
import { newUlid } from '../ids.js';
import { createLog } from '../log.js';
import { until } from '../testing/until.js';
import { connectMongo, explainMongo, isDatabaseAway, type MongoOptions } from './connection.js';

const log = createLog('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'tautan-mongo-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connecting = (uri: string, prepare: MongoOptions['prepare'] = async () => {}) =>
  connectMongo({ uri, database: 'test', name: 'test', log, prepare });

describe('a database that is away', () => {
  test('lets a process start, is told as away, and is found when it comes', async () => {
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

  test('and goes away while it is prepared is waited for by the same client: sessions stay valid', async () => {
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

  test('in between fails calls within their time, and serves again by itself', async () => {
    const dataDir = join(folder, newUlid());
    let server = await startMongo({ dataDir });
    const mongo = connecting(server.uri);
    await mongo.whenReady;
    const things = mongo.connection.collection<{ _id: string }>('things');
    await things.insertOne({ _id: 'a' });
    await server.stop();
    const began = Date.now();
    const error: unknown = await things.findOne({ _id: 'a' }).catch((cause: unknown) => cause);
    expect(isDatabaseAway(error)).toBe(true);
    expect(Date.now() - began).toBeLessThan(2_900);
    server = await startMongo({ dataDir, port: server.port });
    await until(() => things.findOne({ _id: 'a' }).catch(() => undefined));
    await mongo.close();
    await server.stop();
  });

  test('can be left while it is still looked for', async () => {
    const mongo = connecting('mongodb://127.0.0.1:1');
    const began = Date.now();
    await mongo.close();
    await mongo.whenReady;
    expect(Date.now() - began).toBeLessThan(4_000);
    expect(mongo.ready()).toBe(false);
  });
});

describe('a database error', () => {
  const named = (name: string, more: object = {}) => Object.assign(new Error('x'), { name, ...more });

  test.each([
    [named('MongoServerSelectionError'), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 91 }), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 112 }), 'SERVICE_UNAVAILABLE'],
    [named('MongoServerError', { code: 50 }), 'TIMEOUT'],
    [named('MongoOperationTimeoutError'), 'TIMEOUT'],
    [named('MongoServerError', { code: 11000 }), undefined],
    [new TypeError('a defect'), undefined],
    [undefined, undefined],
    [null, undefined],
    ['text', undefined],
  ])('%s is %s', (error, code) => {
    expect(explainMongo(error)?.code).toBe(code);
  });
});
