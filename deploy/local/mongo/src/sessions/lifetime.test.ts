import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UUID } from 'bson';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { DirectEngine, rejection, TestEngine } from '../engine.test.fixtures.js';
import type { Document } from '../language/values.js';
import { startMongo } from '../server.js';
import { NO_SUCH_TRANSACTION } from '../error-codes.test.fixtures.js';

const CLIENT_DISCONNECT = 279;

describe('an open transaction', () => {
  let direct: DirectEngine;
  beforeEach(async () => {
    direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-test-')));
    await direct.run({ insert: 'c', documents: [{ _id: 1 }] });
  });
  afterEach(async () => {
    await direct.close();
    await rm(direct.dataDir, { recursive: true });
  });

  /** Fields that put a command into the transaction of a session. */
  interface TransactionFields {
    lsid: Document;
    txnNumber: bigint;
    autocommit: false;
  }
  const open = async (_id = 2): Promise<TransactionFields> => {
    const transaction: TransactionFields = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    await direct.run({ insert: 'c', documents: [{ _id }], ...transaction, startTransaction: true });
    return transaction;
  };
  const commit = (transaction: TransactionFields): Promise<Document> =>
    direct.run({ commitTransaction: 1, $db: 'admin', ...transaction });
  const sweepAfter = (seconds: number): void => direct.engine.sessions.sweep(performance.now() + seconds * 1000);

  test('stays open until 60 s after its start, even if its client disconnects, and then aborts', async () => {
    const [committed, expired] = [await open(2), await open(3)];
    direct.client.closed = true;
    sweepAfter(59);
    expect(await commit(committed)).toEqual({ ok: 1 });
    sweepAfter(61);
    expect(await commit(expired)).toMatchObject({
      code: NO_SUCH_TRANSACTION,
      errorLabels: ['TransientTransactionError'],
    });
    direct.client.closed = false;
    expect(await direct.all('c')).toEqual([{ _id: 1 }, { _id: 2 }]);
  });

  test('keeps the limit that was set when it started', async () => {
    const before = await open(2);
    direct.engine.sessions.lifetimeSeconds = 5;
    const after = await open(3);
    sweepAfter(6);
    expect(await commit(after)).toMatchObject({ code: NO_SUCH_TRANSACTION });
    expect(await commit(before)).toEqual({ ok: 1 });
    const parameter = { getParameter: 1, transactionLifetimeLimitSeconds: 1, $db: 'admin' };
    expect(await direct.run(parameter)).toEqual({ transactionLifetimeLimitSeconds: 5, ok: 1 });
  });

  test.each(['abortTransaction', 'endSessions', 'killAllSessions'])('aborts immediately on %s', async (name) => {
    const transaction = await open();
    const commands: Record<string, Document> = {
      abortTransaction: { abortTransaction: 1, $db: 'admin', ...transaction },
      endSessions: { endSessions: [transaction.lsid] },
      killAllSessions: { killAllSessions: [] },
    };
    expect(await direct.run(commands[name]!)).toEqual({ ok: 1 });
    expect(await direct.run({ insert: 'c', documents: [{ _id: 2 }], maxTimeMS: 1000 })).toEqual({ n: 1, ok: 1 });
    expect(await commit(transaction)).toMatchObject({ code: NO_SUCH_TRANSACTION });
  });

  test.each<[string, Document]>([
    ['find', { find: 'c' }],
    ['aggregate', { aggregate: 'c', pipeline: [], cursor: {} }],
  ])('aborts when its client disconnects during a read (%s)', async (name, read) => {
    const transaction = await open();
    const data = { failCommands: [name], blockConnection: true, blockTimeMS: 20 };
    await direct.run({ configureFailPoint: 'failCommand', mode: { times: 1 }, data, $db: 'admin' });
    const reading = direct.run({ ...read, ...transaction });
    direct.client.closed = true;
    expect(await reading).toMatchObject({ code: CLIENT_DISCONNECT });
    expect(await commit(transaction)).toMatchObject({ code: NO_SUCH_TRANSACTION });
  });

  test('leaves no open cursor when it expires', async () => {
    const transaction = await open();
    await direct.run({ find: 'c', batchSize: 1, ...transaction });
    expect(direct.engine.cursors.size).toBe(1);
    sweepAfter(61);
    expect(await commit(transaction)).toMatchObject({ code: NO_SUCH_TRANSACTION });
    expect(direct.engine.cursors.size).toBe(0);
  });

  test.each<[string, Document]>([
    ['update', { update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { n: 1 } } }] }],
    ['findAndModify', { findAndModify: 'c', query: { _id: 1 }, update: { $set: { n: 1 } } }],
  ])(
    'blocks a write (%s), which the engine retries after the commit; a fail point counts both attempts as one',
    async (_, write) => {
      const transaction = await open();
      await direct.run({ update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { n: 2 } } }], ...transaction });
      const data = { failBeforeCommitExceptionCode: 91, closeConnection: false };
      const point = { configureFailPoint: 'onPrimaryTransactionalWrite', $db: 'admin', data };
      await direct.run({ ...point, mode: { skip: 1 } });
      const waiting = direct.run({ ...write, lsid: { id: new UUID() }, txnNumber: 1n });
      await commit(transaction);
      expect(await waiting).toMatchObject({ ok: 1 });
      expect((await waiting)['writeErrors']).toBeUndefined();
      expect(await direct.all('c')).toEqual([{ _id: 1, n: 1 }, { _id: 2 }]);
    },
  );

  test('blocks a write whose client then disconnects; the write is executed after the transaction ends', async () => {
    const transaction = await open();
    const waiting = direct.run({ insert: 'c', documents: [{ _id: 2, late: true }] });
    direct.client.closed = true;
    await direct.run({ abortTransaction: 1, $db: 'admin', ...transaction });
    expect(await waiting).toEqual({ n: 1, ok: 1 });
    direct.client.closed = false;
    expect(await direct.all('c')).toEqual([{ _id: 1 }, { _id: 2, late: true }]);
  });
});

test('killAllSessions closes the cursors of sessions and keeps the outcomes of retryable writes', async () => {
  const direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-test-')));
  const lsid = { id: new UUID() };
  const insert = { insert: 'c', documents: [{ _id: 1 }, { _id: 2 }], lsid, txnNumber: 1n };
  await direct.run(insert);
  const { cursorId } = await direct.run({ find: 'c', batchSize: 1, lsid });
  const { cursorId: other } = await direct.run({ find: 'c', batchSize: 1 });
  await direct.run({ killAllSessions: [] });
  expect(await direct.run({ getMore: cursorId, collection: 'c', lsid })).toMatchObject({ codeName: 'CursorNotFound' });
  expect(await direct.run({ getMore: other, collection: 'c' })).toMatchObject({ documents: [{ _id: 2 }] });
  expect(await direct.run(insert)).toMatchObject({ n: 2, retriedStmtIds: [0, 1] });
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});

describe('when a client process is killed in a transaction', () => {
  const LIMIT_SECONDS = 2;
  let engine: TestEngine;
  let client: MongoClient;
  let collection: Collection<{ _id: number; n: number }>;
  beforeAll(async () => {
    engine = await TestEngine.start({ transactionLifetimeLimitSeconds: LIMIT_SECONDS });
    client = await engine.client();
    collection = await engine.collection();
    await collection.insertOne({ _id: 1, n: 0 });
  });
  afterAll(() => engine.stop());

  /**
   * Starts a process that adds 100 in a transaction, and kills it before the commit. Returns the time after the update,
   * in Unix ms.
   */
  async function killWriter(): Promise<number> {
    const script = `
      import { MongoClient } from 'mongodb';
      const client = await new MongoClient('${engine.mongo.uri}').connect();
      const session = client.startSession();
      session.startTransaction();
      await client.db('test').collection('${collection.collectionName}').updateOne({ _id: 1 }, { $inc: { n: 100 } }, { session });
      console.log(Date.now());
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    child.kill('SIGKILL');
    await once(child, 'exit');
    return Number(line.toString());
  }

  const increment = (session?: ClientSession): Promise<unknown> =>
    collection.updateOne({ _id: 1 }, { $inc: { n: 1 } }, session ? { session } : {});

  test('the document it updated stays locked until the transaction expires: other transactions fail, writes outside of transactions wait', async () => {
    const updatedAt = await killWriter();
    const waiting = increment().then(() => Date.now());
    const session = client.startSession();
    session.startTransaction();
    const error = await rejection(increment(session));
    expect(error).toMatchObject({ code: 112 });
    expect(Date.now()).toBeLessThan(updatedAt + LIMIT_SECONDS * 1000);
    await session.endSession();
    const waited = (await waiting) - updatedAt;
    // The transaction started shortly before `updatedAt`; the difference is the latency of the update.
    expect(waited).toBeGreaterThan(LIMIT_SECONDS * 1000 - 100);
    expect(waited).toBeLessThan(LIMIT_SECONDS * 1000 + 1500);
    expect(await collection.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });
});

test('startMongo rejects a transaction lifetime limit that is not a positive whole number of seconds', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
  for (const transactionLifetimeLimitSeconds of [0, -1, 1.5, Number.NaN]) {
    const { message } = await rejection(startMongo({ dataDir, transactionLifetimeLimitSeconds }));
    expect(message).toBe(
      `Invalid value for parameter transactionLifetimeLimitSeconds: ${transactionLifetimeLimitSeconds} is not a whole number greater than or equal to 1`,
    );
  }
  await rm(dataDir, { recursive: true });
});
