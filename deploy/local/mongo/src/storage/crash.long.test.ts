import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { DirectEngine, eventually } from '../engine.test.fixtures.js';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 12);
const WRITERS = 32;
/** Number of kills after which a new folder is used, because each check reads all documents of the folder. */
const KILLS_PER_FOLDER = 50;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-crash-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Part {
  _id: string;
  half: number;
}

async function startChild(): Promise<{ child: ChildProcess; uri: string }> {
  const main = join(import.meta.dirname, '..', 'main.js');
  const child = spawn(process.execPath, [main], { env: { PORT: '0', DATA_DIR: dataDir } });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, uri: (JSON.parse(line.toString()) as { uri: string }).uri };
}

/** The writes acknowledged before the engine was killed: ids of inserts, sums of increments, ids of transactions. */
interface Acknowledged {
  inserts: string[];
  increments: Map<number, number>;
  transactions: string[];
}

type Writer = (db: Db, client: MongoClient, name: string, acknowledged: Acknowledged) => Promise<void>;

const writers: Writer[] = [
  async (db, _, name, { inserts }) => {
    await db
      .collection<{ _id: string; n: number; text: string }>('inserts')
      .insertOne({ _id: name, n: inserts.length, text: 'x'.repeat(inserts.length % 300) });
    inserts.push(name);
  },
  async (db, _, name, { increments }) => {
    const counter = name.length % 3;
    await db
      .collection<{ _id: number; n: number }>('counters')
      .updateOne({ _id: counter }, { $inc: { n: 1 } }, { upsert: true });
    increments.set(counter, (increments.get(counter) ?? 0) + 1);
  },
  async (db, client, name, { transactions }) => {
    await client.withSession((session) =>
      session.withTransaction(async () => {
        for (const half of [0, 1])
          await db.collection<Part>(`parts${half}`).insertOne({ _id: name, half }, { session });
      }),
    );
    transactions.push(name);
  },
  async (db, _, name) => {
    const scratch = db.collection<{ _id: string; n: number }>('scratch');
    await scratch.insertOne({ _id: name, n: name.length });
    await scratch.updateMany({ n: name.length }, { $inc: { n: 100 } });
    await scratch.deleteMany({ n: { $gt: 100 } });
  },
];

const indexBuilder: Writer = async (db, _, name) => {
  await db.collection('inserts').createIndex({ text: 1, n: 1 }, { name });
  await db.collection('inserts').dropIndex(name);
};

/** Runs several kinds of writes concurrently until the engine is killed. */
async function writeUntilDead(uri: string, round: number, acknowledged: Acknowledged): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 300, retryWrites: round % 2 === 0, maxPoolSize: 40 });
  const db = client.db('test');
  const write = async (who: number): Promise<void> => {
    const writer = who === 0 ? indexBuilder : writers[who % writers.length]!;
    try {
      for (let i = 0; ; i += 1) await writer(db, client, `${round}.${who}.${i}`, acknowledged);
    } catch {
      // The engine was killed. Unacknowledged writes may be present or not.
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, who) => write(who)));
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
  expect(acknowledged.transactions.filter((id) => !one.has(id))).toEqual([]);
  for (const collection of ['inserts', 'counters', 'parts0', 'parts1', 'scratch']) {
    const reply = await direct.run({ validate: collection });
    if (reply['codeName'] !== 'NamespaceNotFound') expect(reply).toMatchObject({ valid: true, errors: [] });
  }
  await direct.close();
}

async function killRepeatedly(kills: number): Promise<void> {
  const acknowledged: Acknowledged = { inserts: [], increments: new Map(), transactions: [] };
  for (let round = 0; round < kills; round += 1) {
    const { child, uri } = await startChild();
    const before = acknowledged.transactions.length;
    const writing = writeUntilDead(uri, round, acknowledged);
    // Three of four rounds wait for an acknowledged transaction, so that most kills hit all kinds of writes, even on a
    // busy machine. In the other rounds, the kill may come before any write is acknowledged.
    const isUnderWay = () => acknowledged.transactions.length > before || child.exitCode !== null;
    if (round % 4 > 0) await eventually(isUnderWay, 20_000);
    // A kill after more than 2 s may interrupt a checkpoint, which writes changes to the file.
    setTimeout(() => child.kill('SIGKILL'), Math.random() * (round % 4 === 1 ? 2_500 : 200));
    await once(child, 'exit');
    await writing;
    await check(acknowledged);
  }
  expect(acknowledged.inserts.length).toBeGreaterThan(kills);
  expect(acknowledged.transactions.length).toBeGreaterThan(kills / 10);
}

test(
  'an engine with 32 writers, killed repeatedly, keeps every acknowledged write and no partial transaction',
  async () => {
    for (let killed = 0; killed < KILLS; killed += KILLS_PER_FOLDER) {
      await killRepeatedly(Math.min(KILLS_PER_FOLDER, KILLS - killed));
      await rm(dataDir, { recursive: true });
    }
  },
  20_000 + KILLS * 3_000,
);
