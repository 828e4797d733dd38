import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { UUID } from 'bson';
import { MongoClient } from 'mongodb';
import { DirectEngine } from '../engine.test.fixtures.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-crash-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

interface Part {
  _id: string;
  transaction: number;
  half: number;
}

async function startChild(): Promise<{ child: ChildProcess; uri: string }> {
  const main = join(import.meta.dirname, '..', 'main.js');
  const child = spawn(process.execPath, [main], { env: { PORT: '0', DATA_DIR: dataDir } });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, uri: (JSON.parse(line.toString()) as { uri: string }).uri };
}

/** What was acknowledged before the engine died: inserts, counts of an update, and transactions of two documents. */
interface Acknowledged {
  inserts: string[];
  increments: Map<number, number>;
  transactions: number[];
}

/** Writes in several ways at once until the engine dies. */
async function writeUntilDead(uri: string, round: number, acknowledged: Acknowledged): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 300, retryWrites: false });
  const db = client.db('test');
  const until = async (once: (i: number) => Promise<void>): Promise<void> => {
    try {
      for (let i = 0; ; i += 1) await once(i);
    } catch {
      // The engine is dead: what was not acknowledged may be there or not.
    }
  };
  await Promise.all([
    ...[0, 1, 2].map((writer) =>
      until(async (i) => {
        const _id = `${round}.${writer}.${i}`;
        await db.collection<{ _id: string; text: string }>('inserts').insertOne({ _id, text: 'x'.repeat(i % 300) });
        acknowledged.inserts.push(_id);
      }),
    ),
    ...[0, 1].map((counter) =>
      until(async () => {
        await db
          .collection<{ _id: number; n: number }>('counters')
          .updateOne({ _id: counter }, { $inc: { n: 1 } }, { upsert: true });
        acknowledged.increments.set(counter, (acknowledged.increments.get(counter) ?? 0) + 1);
      }),
    ),
    until(async (i) => {
      const transaction = round * 100_000 + i;
      await client.withSession((session) =>
        session.withTransaction(async () => {
          for (const half of [0, 1]) {
            await db
              .collection<Part>(`parts${half}`)
              .insertOne({ _id: `${transaction}`, transaction, half }, { session });
          }
        }),
      );
      acknowledged.transactions.push(transaction);
    }),
  ]);
  await client.close(true);
}

async function check(acknowledged: Acknowledged): Promise<void> {
  const direct = await DirectEngine.open(dataDir);
  const ids = async (collection: string): Promise<Set<unknown>> =>
    new Set((await direct.all(collection)).map(({ _id }) => _id));
  const inserts = await ids('inserts');
  expect(acknowledged.inserts.filter((id) => !inserts.has(id))).toEqual([]);
  for (const { _id, n } of await direct.all('counters'))
    expect(n).toBeGreaterThanOrEqual(acknowledged.increments.get(_id as number) ?? 0);
  const [one, other] = [await ids('parts0'), await ids('parts1')];
  expect(one).toEqual(other);
  expect(acknowledged.transactions.filter((transaction) => !one.has(String(transaction)))).toEqual([]);
  for (const collection of ['inserts', 'counters', 'parts0', 'parts1']) {
    const reply = await direct.run({ validate: collection });
    if (reply['code'] !== 26) expect(reply).toMatchObject({ valid: true });
  }
  await direct.close();
}

test('an engine that is killed again and again keeps every acknowledged write and no half of a transaction', async () => {
  const acknowledged: Acknowledged = { inserts: [], increments: new Map(), transactions: [] };
  for (let round = 0; round < 8; round += 1) {
    const { child, uri } = await startChild();
    const writing = writeUntilDead(uri, round, acknowledged);
    setTimeout(() => child.kill('SIGKILL'), 150 + Math.random() * 350);
    await once(child, 'exit');
    await writing;
    await check(acknowledged);
  }
  expect(acknowledged.inserts.length).toBeGreaterThan(50);
  expect(acknowledged.transactions.length).toBeGreaterThan(5);
}, 60_000);

describe('a log that ends at any byte', () => {
  type State = Record<string, unknown[]>;

  const state = async (direct: DirectEngine): Promise<State> => ({
    a: await direct.all('a'),
    b: await direct.all('b'),
  });

  /** Writes of every kind; answers the state after each, with the length of the log there. */
  async function history(): Promise<{ bytes: number; state: State }[]> {
    const direct = await DirectEngine.open(dataDir);
    const lsid = { id: new UUID() };
    const steps: { bytes: number; state: State }[] = [];
    const step = async (...commands: Record<string, unknown>[]): Promise<void> => {
      for (const command of commands) expect(await direct.run(command)).toMatchObject({ ok: 1 });
      steps.push({ bytes: direct.engine.store.logBytes, state: await state(direct) });
    };
    const inTransaction = { lsid, txnNumber: 7n, autocommit: false };
    await step({
      insert: 'a',
      documents: [
        { _id: 1, n: 1 },
        { _id: 2, n: 2 },
      ],
    });
    await step({ createIndexes: 'a', indexes: [{ key: { n: 1 }, name: 'n_1', unique: true }] });
    await step({ update: 'a', updates: [{ q: {}, u: { $inc: { n: 10 } }, multi: true }] });
    await step({ insert: 'a', documents: [{ _id: 3, n: 3 }], lsid, txnNumber: 1n });
    await step(
      { insert: 'b', documents: [{ _id: 1 }], ...inTransaction, startTransaction: true },
      { update: 'a', updates: [{ q: { _id: 1 }, u: { $set: { n: -1 } } }], ...inTransaction },
      { delete: 'a', deletes: [{ q: { _id: 2 }, limit: 1 }], ...inTransaction },
      { commitTransaction: 1, $db: 'admin', ...inTransaction },
    );
    await step({ aggregate: 'a', pipeline: [{ $out: 'b' }], cursor: {} });
    await step({ drop: 'a' });
    await direct.close();
    return steps;
  }

  test('opens to the state after some whole write, and to no other', async () => {
    const steps = await history();
    const log = await readFile(join(dataDir, 'engine.log'));
    const copy = join(dataDir, 'copy');
    await mkdir(copy);
    for (let length = steps[0]!.bytes; length <= log.length; length += 1) {
      await writeFile(join(copy, 'engine.log'), log.subarray(0, length));
      const direct = await DirectEngine.open(copy);
      const whole = steps.findLast(({ bytes }) => bytes <= length)!;
      expect(await state(direct)).toEqual(whole.state);
      await direct.close();
    }
  }, 60_000);

  test('opens to what was there when the last bytes are garbage, and goes on', async () => {
    const steps = await history();
    const path = join(dataDir, 'engine.log');
    const log = await readFile(path);
    for (const garbage of [
      Buffer.alloc(100),
      Buffer.from('garbage that is no record'),
      Buffer.from([255, 255, 255, 127, 1, 2, 3]),
    ]) {
      await writeFile(path, Buffer.concat([log, garbage]));
      let direct = await DirectEngine.open(dataDir);
      expect(await state(direct)).toEqual(steps.at(-1)!.state);
      await direct.run({ insert: 'b', documents: [{ _id: 99 }] });
      direct = await direct.reopen();
      expect((await state(direct))['b']).toContainEqual({ _id: 99 });
      await direct.close();
    }
  });
});
