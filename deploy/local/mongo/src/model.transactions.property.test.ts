import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type ClientSession, type Collection, MongoClient, type MongoServerError } from 'mongodb';
import { startMongo, type Mongo } from './index.js';
import { runs, TIMEOUT_MS } from './model.test.fixtures.js';
import { DUPLICATE_KEY, WRITE_CONFLICT } from './error-codes.test.fixtures.js';

interface Counter {
  _id: number;
  n: number;
}

/** An operation of a session (`who` 0 or 1), or outside of sessions (`who` 2). */
interface Step {
  who: 0 | 1 | 2;
  act: 'insert' | 'inc' | 'replace' | 'remove' | 'incMany' | 'read' | 'commit' | 'abort';
  id: number;
  n: number;
}

const steps = fc.array(
  fc.record<Step>({
    who: fc.constantFrom(0, 1, 2),
    act: fc.constantFrom('insert', 'inc', 'inc', 'replace', 'remove', 'incMany', 'read', 'read', 'commit', 'abort'),
    id: fc.nat(4),
    n: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 5, maxLength: 30, size: 'max' },
);

const OUTSIDE = 2;

/** An open transaction of the model: its snapshot, the time of the snapshot, and its writes (null: removed). */
interface OpenTransaction {
  at: number;
  snapshot: Map<number, Counter>;
  writes: Map<number, Counter | null>;
}

/** Snapshot isolation in its simplest form: the first writer wins, the other fails immediately. */
class Model {
  committed = new Map<number, Counter>();
  private lastWrite = new Map<number, number>();
  private clock = 0;
  open: (OpenTransaction | undefined)[] = [undefined, undefined];

  /** Returns the open transaction of a session, or starts one. */
  enter(who: number): OpenTransaction {
    return (this.open[who] ??= { at: this.clock, snapshot: new Map(this.committed), writes: new Map() });
  }

  view(who: number): Map<number, Counter> {
    if (who === OUTSIDE) return this.committed;
    const { snapshot, writes } = this.enter(who);
    const merged = new Map(snapshot);
    for (const [id, counter] of writes) {
      if (counter) merged.set(id, counter);
      else merged.delete(id);
    }
    return merged;
  }

  /**
   * Returns whether a document was changed by the other open transaction, or by a write committed since this
   * transaction began.
   */
  conflicts(who: number, id: number): boolean {
    const { at, writes } = this.enter(who);
    if (writes.has(id)) return false;
    return (this.lastWrite.get(id) ?? 0) > at || this.open[1 - who]?.writes.has(id) === true;
  }

  write(who: number, id: number, counter: Counter | null): void {
    if (who === OUTSIDE) return this.apply(new Map([[id, counter]]));
    this.enter(who).writes.set(id, counter);
  }

  commit(who: number): void {
    this.apply(this.open[who]?.writes ?? new Map<number, Counter | null>());
    this.open[who] = undefined;
  }

  private apply(writes: Map<number, Counter | null>): void {
    this.clock += 1;
    for (const [id, counter] of writes) {
      if (counter) this.committed.set(id, counter);
      else this.committed.delete(id);
      this.lastWrite.set(id, this.clock);
    }
  }
}

/** Returns the new values of the documents that a step writes, and whether it fails with a duplicate key. */
function planned(model: Model, { who, act, id, n }: Step): { writes: [number, Counter | null][]; duplicate: boolean } {
  const view = model.view(who);
  const current = view.get(id);
  const inc = (counter: Counter): [number, Counter] => [counter._id, { ...counter, n: counter.n + n }];
  if (act === 'insert') return { writes: [[id, { _id: id, n }]], duplicate: current !== undefined };
  if (act === 'incMany') return { writes: [...view.values()].filter((each) => each.n >= n).map(inc), duplicate: false };
  if (!current) return { writes: [], duplicate: false };
  const after = act === 'remove' ? null : act === 'inc' ? inc(current)[1] : { _id: id, n: n + 100 };
  return { writes: after?.n === current.n ? [] : [[id, after]], duplicate: false };
}

class Run {
  readonly model = new Model();

  constructor(
    private readonly collection: Collection<Counter>,
    private readonly sessions: ClientSession[],
  ) {}

  async step(step: Step): Promise<void> {
    const { who, act } = step;
    if (act === 'commit' || act === 'abort') return who === OUTSIDE ? undefined : this.end(who, act);
    const session = this.enter(who);
    if (act === 'read') return this.read(step, session);
    const { writes, duplicate } = planned(this.model, step);
    if (who === OUTSIDE) {
      // Skip a write that would wait for the end of a transaction.
      if (writes.some(([id]) => this.model.open.some((open) => open?.writes.has(id)))) return;
    }
    const conflict = who !== OUTSIDE && writes.some(([id]) => this.model.conflicts(who, id));
    const error = await this.send(step, session).then(
      () => undefined,
      (reason: MongoServerError) => reason,
    );
    if (!duplicate && !conflict) {
      expect(error).toBeUndefined();
      for (const [id, counter] of writes) this.model.write(who, id, counter);
      return;
    }
    expect(error?.code).toBe(duplicate ? DUPLICATE_KEY : WRITE_CONFLICT);
    if (who === OUTSIDE) return;
    expect(error!.hasErrorLabel('TransientTransactionError')).toBe(error!.code === WRITE_CONFLICT);
    // The error has aborted the transaction.
    await session!.abortTransaction();
    this.model.open[who] = undefined;
  }

  private enter(who: number): ClientSession | undefined {
    if (who === OUTSIDE) return undefined;
    const session = this.sessions[who]!;
    if (!session.inTransaction()) session.startTransaction();
    return session;
  }

  private send({ act, id, n }: Step, session?: ClientSession): Promise<unknown> {
    const options = session ? { session } : {};
    if (act === 'insert') return this.collection.insertOne({ _id: id, n }, options);
    if (act === 'inc') return this.collection.updateOne({ _id: id }, { $inc: { n } }, options);
    if (act === 'incMany') return this.collection.updateMany({ n: { $gte: n } }, { $inc: { n } }, options);
    if (act === 'replace') return this.collection.replaceOne({ _id: id }, { n: n + 100 }, options);
    return this.collection.deleteOne({ _id: id }, options);
  }

  private async read({ who, id, n }: Step, session?: ClientSession): Promise<void> {
    const options = session ? { session } : {};
    const view = this.model.view(who);
    const matching = [...view.values()].filter((each) => each.n >= n).sort((a, b) => a.n - b.n || a._id - b._id);
    expect(
      await this.collection
        .find({ n: { $gte: n } }, options)
        .sort({ n: 1, _id: 1 })
        .toArray(),
    ).toEqual(matching);
    expect(await this.collection.findOne({ _id: id }, options)).toEqual(view.get(id) ?? null);
  }

  async end(who: number, how: 'commit' | 'abort'): Promise<void> {
    const session = this.sessions[who]!;
    if (!session.inTransaction()) return;
    if (how === 'commit') {
      await session.commitTransaction();
      this.model.commit(who);
    } else {
      await session.abortTransaction();
      this.model.open[who] = undefined;
    }
  }
}

let folder: string;
let mongo: Mongo;
let client: MongoClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongo-transactions-'));
  mongo = await startMongo({ dataDir: folder });
  client = await new MongoClient(mongo.uri, { retryWrites: false }).connect();
});

afterAll(async () => {
  await client.close();
  await mongo.stop();
  await rm(folder, { recursive: true });
});

test(
  'two transactions and writes outside of them match a model of snapshot isolation',
  async () => {
    let collections = 0;
    const property = fc.asyncProperty(fc.boolean(), steps, async (indexed, list) => {
      const collection = client.db('model').collection<Counter>(`t${(collections += 1)}`);
      await collection.insertMany([0, 1, 2].map((id) => ({ _id: id, n: 1 })));
      if (indexed) await collection.createIndex({ n: 1 });
      const sessions = [client.startSession(), client.startSession()];
      const run = new Run(collection, sessions);
      for (const id of [0, 1, 2]) run.model.write(OUTSIDE, id, { _id: id, n: 1 });
      for (const step of list) await run.step(step);
      await run.end(0, 'commit');
      await run.end(1, 'abort');
      const expected = [...run.model.committed.values()].sort((a, b) => a._id - b._id);
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual(expected);
      for (const session of sessions) await session.endSession();
      await collection.drop();
    });
    await fc.assert(property, runs(60));
  },
  TIMEOUT_MS,
);
