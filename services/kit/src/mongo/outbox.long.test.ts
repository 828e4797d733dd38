import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { startMongo, type Mongo as MongoServer } from '@tautan/local-mongo';
import { startNats, type NatsBroker } from '@tautan/local-nats';
import { parseEvent, type TautanEvent, type EventData } from '@tautan/proto';
import mongoose, { type Connection } from 'mongoose';
import { Bus, consume } from '../bus/index.js';
import { fail } from '../errors.js';
import { newId } from '../values/ids.js';
import { createLog } from '../telemetry/log.js';
import { createMetrics } from '../telemetry/metrics.js';
import type { Principal } from '../principal.js';
import { recordQueries } from '../testing/queries.js';
import { until } from '../testing/until.js';
import { connectMongo, explainMongo, isDuplicateKey, type Mongo } from './connection.js';
import { isTransient } from './retry-while-unavailable.js';
import { Outbox, type Transaction } from './outbox.js';

const log = createLog('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'tautan-outbox-'));
const dbName = `test_${Date.now().toString(36)}_${process.pid}`;
const by: Principal = {
  workspaceId: newId('ws'),
  kind: 'user',
  id: newId('usr'),
  name: 'Ayu',
  role: 'owner',
  plan: 'UNLIMITED',
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'req-of-test',
};

let mongoServer: MongoServer | undefined;
let mongo: Mongo;
let outbox: Outbox;
let bus: Bus;
let broker: NatsBroker;
let consumer: { stop(): Promise<void> };
let events: TautanEvent[] = [];

// Always a separate broker, because it is stopped and restarted.
beforeAll(async () => {
  mongoServer = process.env['MONGODB_URI'] ? undefined : await startMongo({ dataDir: join(folder, 'mongo') });
  broker = await startNats({ dataDir: join(folder, 'nats') });
  bus = new Bus({ url: broker.url, name: 'test', log });
  mongo = connectMongo({
    uri: mongoServer?.uri ?? process.env['MONGODB_URI']!,
    database: dbName,
    name: 'test',
    log,
    prepare: async (connection) => {
      await connection.createCollection('things');
      await outbox.prepare();
    },
  });
  outbox = new Outbox({ connection: mongo.connection, bus, log, registry: createMetrics('test') });
  await mongo.whenReady;
  await until(() => bus.connected);
  const handle = async (payload: Uint8Array) =>
    void events.push(parseEvent(JSON.parse(Buffer.from(payload).toString())));
  const options = { stream: 'EVENTS', durable: 'test', subject: 'events.>', handle, onDeadLetter: handle, log };
  consumer = consume(bus, options, () => false);
});
afterAll(async () => {
  await consumer.stop();
  await outbox.stop();
  await bus.close();
  await mongo.connection.dropDatabase();
  await mongo.close();
  await broker.stop();
  await mongoServer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const db = (): Connection => mongo.connection;
const things = () => db().collection<{ _id: string }>('things');
const outboxSize = () => db().collection<{ _id: string }>('outbox').countDocuments();
const published = (id: string) => events.filter(({ target }) => target.id === id);

function emitTag(tx: Transaction, id: string): void {
  const at = new Date().toISOString();
  const data = { id, name: 'Promo', linkCount: 0, qrCodeCount: 0, createdAt: at, updatedAt: at };
  tx.emit({ type: 'tag.created', target: { type: 'tag', id, label: 'Promo' }, data });
}
const createThing = (id = newId('tag')): Promise<string> =>
  outbox.transact(by, async (tx) => {
    await things().insertOne({ _id: id }, { session: tx.session });
    emitTag(tx, id);
    return id;
  });

describe('a transaction', () => {
  test('writes its changes and publishes its event with the actor', async () => {
    const id = await createThing();
    expect(await things().findOne({ _id: id })).toEqual({ _id: id });
    await until(() => published(id).length > 0);
    expect(published(id)[0]).toMatchObject({
      type: 'tag.created',
      workspaceId: by.workspaceId,
      actor: { type: 'user', id: by.id, name: 'Ayu' },
      requestId: 'req-of-test',
      ip: '192.0.2.1',
    });
    await until(async () => (await outboxSize()) === 0);
  });

  test('that fails leaves neither changes nor an event', async () => {
    const id = newId('tag');
    const failing = outbox.transact(by, async (tx) => {
      await things().insertOne({ _id: id }, { session: tx.session });
      emitTag(tx, id);
      throw fail('SLUG_TAKEN', 'no');
    });
    await expect(failing).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    expect(await things().findOne({ _id: id })).toBeNull();
    const after = await createThing();
    await until(() => published(after).length > 0);
    expect(published(id)).toEqual([]);
  });

  test('rejects an event whose data does not match the catalog, and writes nothing', async () => {
    const id = newId('tag');
    const wrong = outbox.transact(by, async (tx) => {
      await things().insertOne({ _id: id }, { session: tx.session });
      tx.emit({
        type: 'tag.created',
        target: { type: 'tag', id, label: 'x' },
        data: { id } as EventData<'tag.created'>,
      });
    });
    await expect(wrong).rejects.toThrow();
    expect(await things().findOne({ _id: id })).toBeNull();
  });

  test('is retried on a conflict, and its events are published once', async () => {
    const id = await createThing();
    let runs = 0;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        outbox.transact(by, async (tx) => {
          runs += 1;
          await things().updateOne({ _id: id }, { $inc: { n: 1 } }, { session: tx.session });
          // The first update is not committed before another transaction has conflicted with it and been retried.
          await until(() => runs > 5);
          emitTag(tx, id);
        }),
      ),
    );
    expect(await things().findOne({ _id: id })).toEqual({ _id: id, n: 5 });
    expect(runs).toBeGreaterThan(5);
    const after = await createThing();
    await until(() => published(after).length > 0 && published(id).length >= 6);
    expect(published(id)).toHaveLength(6);
    expect(new Set(published(id).map((event) => event.id)).size).toBe(6);
  });

  test('is retried after its connection was closed', async () => {
    const id = newId('tag');
    let runs = 0;
    await outbox.transact(by, async (tx) => {
      runs += 1;
      await things().insertOne({ _id: id }, { session: tx.session });
      if (runs === 1) throw new mongoose.mongo.MongoNetworkError('read ECONNRESET');
    });
    expect(runs).toBe(2);
    expect(await things().findOne({ _id: id })).toEqual({ _id: id });
  });

  test('with a duplicate key rejects with the duplicate key error', async () => {
    const id = await createThing();
    const error: unknown = await createThing(id).catch((cause: unknown) => cause);
    expect(isDuplicateKey(error)).toBe(true);
    expect(explainMongo(error)).toBeUndefined();
  });
});

// A real MongoDB may not have fail points.
const embedded = process.env['MONGODB_URI'] ? describe.skip : describe;
embedded('a broken connection', () => {
  const breakInserts = (times: number) =>
    db()
      .db!.admin()
      .command({
        configureFailPoint: 'failCommand',
        mode: { times },
        data: { failCommands: ['insert'], closeConnection: true },
      });

  test('while events are written causes a retry of the transaction', async () => {
    const id = newId('tag');
    let runs = 0;
    await breakInserts(1);
    await outbox.transact(by, async (tx) => {
      runs += 1;
      emitTag(tx, id);
      return Promise.resolve();
    });
    expect(runs).toBe(2);
    await until(async () => published(id).length > 0 && (await outboxSize()) === 0);
    const after = await createThing();
    await until(() => published(after).length > 0);
    expect(published(id)).toHaveLength(1);
  });

  test('during a bulk write is reported as an unavailable database', async () => {
    // The driver retries the insert once, so both attempts must fail.
    await breakInserts(2);
    const error: unknown = await things()
      .insertMany([{ _id: newId('tag') }])
      .catch((cause: unknown) => cause);
    expect(explainMongo(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(isTransient(error)).toBe(true);
  });
});

describe('while the bus is unavailable', () => {
  test('changes succeed, and each event is published exactly once after the bus is available again', async () => {
    await until(async () => (await outboxSize()) === 0);
    await broker.stop();
    await until(() => !bus.connected);
    const ids = await Promise.all(Array.from({ length: 40 }, () => createThing()));
    expect(await outboxSize()).toBe(40);
    broker = await startNats({ dataDir: join(folder, 'nats'), port: broker.port });
    await until(() => ids.every((id) => published(id).length > 0));
    await until(async () => (await outboxSize()) === 0);
    expect(ids.map((id) => published(id).length)).toEqual(ids.map(() => 1));
  });
});

test('an event that was published before a crash is consumed only once', async () => {
  const id = newId('tag');
  const event = await until(async () => {
    await createThing(id).catch(() => {});
    return (await outboxSize()) === 0 && published(id)[0];
  });
  await until(async () => (await outboxSize()) === 0);
  // The event is in the outbox again, as if a process had crashed after publishing it and before deleting it.
  const leftOver = { _id: event.id, event, createdAt: new Date(Date.now() - 60_000) };
  await db().collection<{ _id: string }>('outbox').insertOne(leftOver);
  await until(async () => (await outboxSize()) === 0);
  const after = await createThing();
  await until(() => published(after).length > 0);
  expect(published(id)).toHaveLength(1);
});

test('the event of a crashed process whose clock was an hour ahead is published within seconds', async () => {
  const id = newId('tag');
  const event = await eventAbout(id);
  const createdAt = new Date(Date.now() + 3_600_000);
  await db()
    .collection<{ _id: string }>('outbox')
    .insertOne({ _id: event.id, event, createdAt } as { _id: string });
  await until(async () => published(id).length === 1 && (await outboxSize()) === 0);
});

test('the sweep never scans a collection', async () => {
  const uri = mongoServer?.uri ?? process.env['MONGODB_URI']!;
  const connection = await mongoose.createConnection(uri, { dbName, monitorCommands: true }).asPromise();
  const queriesSince = recordQueries(connection);
  const sweeping = new Outbox({ connection, bus, log, registry: createMetrics('test') });
  const { collections, scanning } = await until(async () => {
    const queries = await queriesSince();
    return queries.collections.has('outbox') && queries;
  });
  expect([...collections]).toEqual(['outbox']);
  expect(scanning).toEqual([]);
  await sweeping.stop();
  await connection.close();
});

test('an event that cannot be published does not block the others', async () => {
  const id = newId('tag');
  const stuck = {
    _id: 'evt_stuck',
    event: { id: 'evt_stuck', type: 'tag.created', tooLong: 'x'.repeat(1_100_000) },
    createdAt: new Date(0),
  };
  await db().collection<{ _id: string }>('outbox').insertOne(stuck);
  const event = await eventAbout(id);
  // More events than are published at once.
  const others = Array.from({ length: 200 }, (_, i) => {
    const evtId = newId('evt');
    return { _id: evtId, event: { ...event, id: evtId }, createdAt: new Date(1 + i) };
  });
  await db().collection<{ _id: string }>('outbox').insertMany(others);
  const warn = jest.spyOn(log, 'warn');
  await until(async () => published(id).length === others.length && (await outboxSize()) === 1);
  expect(warn.mock.calls.filter(([, text]) => text === 'sweeping the outbox failed').length).toBeLessThanOrEqual(1);
  await db().collection<{ _id: string }>('outbox').deleteOne({ _id: 'evt_stuck' });
});

/** Returns an event with the target `id`, for tests to insert into the outbox. */
async function eventAbout(id: string): Promise<TautanEvent> {
  const templateId = await createThing();
  const event = await until(() => published(templateId)[0]);
  events = events.filter((known) => known !== event);
  return { ...event, id: newId('evt'), target: { ...event.target, id } };
}
