import { KeyedMutex, newId } from '@tautan/kit';
import { inTransaction } from '@tautan/kit/mongo';
import { startServers, type TestServers } from '@tautan/kit/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPlans } from '@tautan/proto';
import mongoose, { type Connection } from 'mongoose';
import { checkUsage } from './check-usage.js';
import { usageCounterSchema, type CounterKey, type UsageCounter } from './counter.js';
import { UsageCounters } from './usage-counters.js';

interface CountedRecord {
  _id: string;
  workspaceId: string;
  month?: string;
}

let servers: TestServers;
let replicas: Replica[];

/**
 * A replica of a service with two kinds of records: `records` count toward the total limit `qrCodes`, and `monthly`
 * toward the monthly limit `links`. `create` inserts a record into `records` if the total limit allows it.
 */
function aReplica(connection: Connection) {
  const records = connection.collection<CountedRecord>('records');
  const monthly = connection.collection<CountedRecord>('monthly');
  const model = connection.model<UsageCounter>('usage', usageCounterSchema(), 'usage');
  const counters = new UsageCounters(model, connection, {
    qrCodes: {
      monthly: false,
      count: ({ workspaceId }, session) => records.countDocuments({ workspaceId }, { session }),
    },
    links: {
      monthly: true,
      count: ({ workspaceId, month }: CounterKey, session) =>
        monthly.countDocuments({ workspaceId, month: month! }, { session }),
    },
  });
  const mutex = new KeyedMutex();
  const create = (workspaceId: string, max: number | null): Promise<boolean> =>
    mutex.run(workspaceId, () =>
      inTransaction(connection, 10_000, async (session) => {
        const { granted } = await counters.reserve(session, {
          workspaceId,
          limit: 'qrCodes',
          wanted: 1,
          max,
          at: new Date(),
        });
        if (granted) await records.insertOne({ _id: newId('qr'), workspaceId }, { session });
        return granted === 1;
      }),
    );
  return { connection, records, monthly, counters, create };
}
type Replica = ReturnType<typeof aReplica>;

beforeAll(async () => {
  servers = await startServers();
  const connections = [0, 1].map(() =>
    mongoose.createConnection(servers.mongodbUri, { dbName: servers.database, autoIndex: false }),
  );
  await Promise.all(connections.map((connection) => connection.asPromise()));
  for (const name of ['records', 'monthly', 'usage']) await connections[0]!.createCollection(name);
  replicas = connections.map(aReplica);
});
afterAll(async () => {
  for (const { connection } of replicas) await connection.close();
  await servers.stop();
});

const used = async (workspaceId: string, at = new Date()) => replicas[0]!.counters.read(workspaceId, at);

describe('a total limit', () => {
  test('is exact with concurrent creations on two replicas', async () => {
    const workspaceId = newId('ws');
    const outcomes = await Promise.all(Array.from({ length: 80 }, (_, i) => replicas[i % 2]!.create(workspaceId, 30)));
    expect(outcomes.filter(Boolean)).toHaveLength(30);
    expect(await replicas[0]!.records.countDocuments({ workspaceId })).toBe(30);
    expect((await used(workspaceId)).qrCodes).toBe(30);
  });

  test('counts the existing records if there is no counter yet', async () => {
    const workspaceId = newId('ws');
    const { records, create } = replicas[0]!;
    await records.insertMany([1, 2, 3].map(() => ({ _id: newId('qr'), workspaceId })));
    expect([await create(workspaceId, 4), await create(workspaceId, 4)]).toEqual([true, false]);
    const other = newId('ws');
    await records.insertOne({ _id: newId('qr'), workspaceId: other });
    expect((await used(other)).qrCodes).toBe(1);
  });

  test('does not count a record that is deleted while the counter is created', async () => {
    const workspaceId = newId('ws');
    const { records, connection, counters } = replicas[0]!;
    await records.insertMany([1, 2].map(() => ({ _id: newId('qr'), workspaceId })));
    const counted = { workspaceId, limit: 'qrCodes', at: new Date() } as const;
    let removal: Promise<void> | undefined;
    await inTransaction(connection, 5_000, async (session) => {
      await counters.reserve(session, { ...counted, wanted: 0, max: null });
      removal ??= inTransaction(replicas[1]!.connection, 5_000, async (other) => {
        const record = await replicas[1]!.records.findOne({ workspaceId }, { session: other });
        await replicas[1]!.records.deleteOne({ _id: record!._id }, { session: other });
        await replicas[1]!.counters.release(other, { ...counted, count: 1 });
      });
      // If the deletion is not blocked, the wait lets it finish before this transaction commits.
      await Promise.race([removal, new Promise((resolve) => setTimeout(resolve, 200))]);
    });
    await removal;
    expect([(await used(workspaceId)).qrCodes, await records.countDocuments({ workspaceId })]).toEqual([1, 1]);
    expect(await counters.drift({ workspaceId, limit: 'qrCodes' })).toBe(0);
  });

  test('rejects with an error that names the plan, limit and usage, even if the usage is above the limit', async () => {
    const workspaceId = newId('ws');
    const { counters, connection, create } = replicas[0]!;
    for (let i = 0; i < 12; i += 1) await create(workspaceId, null);
    const reserve = () =>
      inTransaction(connection, 5_000, (session) =>
        counters.reserveOne(session, defaultPlans, { workspaceId, limit: 'qrCodes', plan: 'FREE', at: new Date() }),
      );
    await expect(reserve()).rejects.toMatchObject({
      code: 'PLAN_LIMIT_EXCEEDED',
      field: 'qrCodes',
      message: 'The FREE plan limits QR codes to 10 (in use: 12). Upgrade the plan to create more.',
    });
    await inTransaction(connection, 5_000, (session) =>
      counters.release(session, { workspaceId, limit: 'qrCodes', count: 3, at: new Date() }),
    );
    await reserve();
    expect((await used(workspaceId)).qrCodes).toBe(10);
  });
});

describe('a monthly limit', () => {
  const july = new Date('2026-07-31T23:59:59.999Z');
  const august = new Date('2026-08-01T00:00:00.000Z');
  const reserve = (workspaceId: string, wanted: number, at: Date) => {
    const { counters, connection, monthly } = replicas[0]!;
    return inTransaction(connection, 5_000, async (session) => {
      const { granted } = await counters.reserve(session, { workspaceId, limit: 'links', wanted, max: 5, at });
      const month = at.toISOString().slice(0, 7);
      const rows = Array.from({ length: granted }, () => ({ _id: newId('lnk'), workspaceId, month }));
      if (granted) await monthly.insertMany(rows, { session });
      return granted;
    });
  };

  test('grants part of a request, and resets at the start of each month in UTC', async () => {
    const workspaceId = newId('ws');
    expect([await reserve(workspaceId, 3, july), await reserve(workspaceId, 3, july)]).toEqual([3, 2]);
    expect([await reserve(workspaceId, 1, july), await reserve(workspaceId, 4, august)]).toEqual([0, 4]);
    expect([(await used(workspaceId, july)).links, (await used(workspaceId, august)).links]).toEqual([5, 4]);
  });

  test('still counts deleted records, and a check reports no drift', async () => {
    const workspaceId = newId('ws');
    const { counters, connection, monthly } = replicas[0]!;
    await reserve(workspaceId, 5, july);
    await inTransaction(connection, 5_000, async (session) => {
      const record = await monthly.findOne({ workspaceId }, { session });
      await monthly.deleteOne({ _id: record!._id }, { session });
      await counters.release(session, { workspaceId, limit: 'links', count: 1, at: july });
    });
    expect([await reserve(workspaceId, 1, july), (await used(workspaceId, july)).links]).toEqual([0, 5]);
    expect(await counters.drift({ workspaceId, limit: 'links', month: '2026-07' })).toBe(0);
  });
});

describe('a check', () => {
  const corrupt = (workspaceId: string, by: number) =>
    replicas[0]!.connection
      .collection<UsageCounter>('usage')
      .updateOne({ _id: `${workspaceId}/qrCodes` }, { $inc: { used: by } });

  test('finds counters that differ from the number of records, and repairs them on request', async () => {
    const { counters, create } = replicas[0]!;
    const [low, high, correct] = [newId('ws'), newId('ws'), newId('ws')];
    for (const workspaceId of [low, high, correct]) await create(workspaceId, null);
    await corrupt(low, -1);
    await corrupt(high, 4);
    const check = async (repair: boolean) => {
      const found: unknown[] = [];
      for await (const { workspaceId, limit, drift } of checkUsage(counters, { repair, at: new Date() })) {
        if ([low, high, correct].includes(workspaceId)) found.push([workspaceId, limit, drift]);
      }
      return found;
    };
    const differing = [
      [low, 'qrCodes', -1],
      [high, 'qrCodes', 4],
    ].sort();
    expect((await check(false)).sort()).toEqual(differing);
    expect((await check(true)).sort()).toEqual(differing);
    expect(await check(false)).toEqual([]);
    expect((await used(high)).qrCodes).toBe(1);
  });
});
