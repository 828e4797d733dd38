import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { startMongo, type Mongo as MongoServer } from '@tautan/local-mongo';
import mongoose, { type ClientSession } from 'mongoose';
import { createLog } from '../telemetry/log.js';
import { connectMongo, explainMongo, isDatabaseUnavailable, type Mongo } from './connection.js';
import { until } from '../testing/until.js';
import { inTransaction } from './transaction.js';

const folder = mkdtempSync(join(tmpdir(), 'tautan-transaction-'));
const TIMEOUT_MS = 400;
/** Timeout of a transaction that waits for the database to recover. */
const RECOVERY_MS = 15_000;
// Maximum time until a transaction with TIMEOUT_MS fails. The last attempt may still have to wait for a connection
// after that timeout.
const MAX_FAILURE_MS = 5_000;
const SHUTTING_DOWN = 91;
let server: MongoServer | undefined;
let mongo: Mongo;

beforeAll(async () => {
  server = process.env['MONGODB_URI'] ? undefined : await startMongo({ dataDir: join(folder, 'mongo') });
  mongo = connectMongo({
    uri: server?.uri ?? process.env['MONGODB_URI']!,
    database: `test_${Date.now().toString(36)}_${process.pid}`,
    name: 'transaction-test',
    log: createLog('test', 'silent'),
    prepare: async (connection) => void (await connection.createCollection('things')),
  });
  await mongo.whenReady;
});
afterEach(() => setFailPoint('off'));
afterAll(async () => {
  await mongo?.connection.dropDatabase();
  await mongo?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const setFailPoint = (mode: 'off' | 'alwaysOn' | { times: number }, data: object = {}) =>
  mongo.connection.db!.admin().command({
    configureFailPoint: 'failCommand',
    mode,
    ...(mode !== 'off' && { data: { ...data, appName: 'transaction-test' } }),
  });
const things = () => mongo.connection.collection<{ _id: string; n?: number }>('things');
const write = (id: string, timeoutMs = TIMEOUT_MS) =>
  inTransaction(mongo.connection, timeoutMs, async (session) => {
    await things().insertOne({ _id: id }, { session });
    return id;
  });
const written = async (id: string) => (await things().findOne({ _id: id })) !== null;

/** Returns the error of a transaction and the time until it fails. */
async function failure(id: string): Promise<{ error: unknown; ms: number }> {
  const began = performance.now();
  const error: unknown = await write(id).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { error, ms: performance.now() - began };
}

test.each([
  ['the work', { failCommands: ['insert'], closeConnection: true }],
  ['the commit', { failCommands: ['commitTransaction'], errorCode: SHUTTING_DOWN }],
])('a transaction succeeds even if %s fails temporarily', async (part, data) => {
  await setFailPoint({ times: 2 }, data);
  expect(await write(part, RECOVERY_MS)).toBe(part);
  expect(await written(part)).toBe(true);
});

test.each([
  ['work', { failCommands: ['insert'], closeConnection: true }],
  ['conflicting work', { failCommands: ['insert'], errorCode: 112, errorLabels: ['TransientTransactionError'] }],
  ['commit', { failCommands: ['commitTransaction'], errorCode: SHUTTING_DOWN }],
])('a transaction rejects after its timeout if its %s keeps failing, and is not applied later', async (part, data) => {
  await setFailPoint('alwaysOn', data);
  const { error, ms } = await failure(`late ${part}`);
  expect(error).toBeInstanceOf(Error);
  if (part !== 'conflicting work') expect(isDatabaseUnavailable(error)).toBe(true);
  const mayBeApplied = explainMongo(error)?.message.includes('A change may still have been applied.');
  expect(mayBeApplied).toBe(part === 'commit');
  // The last attempt may end shortly before the timeout.
  expect(ms).toBeGreaterThan(TIMEOUT_MS / 2);
  expect(ms).toBeLessThan(MAX_FAILURE_MS);
  await setFailPoint('off');
  expect(await written(`late ${part}`)).toBe(false);
});

test('a transaction is not retried if the work throws an error of its own', async () => {
  let tries = 0;
  const wrong = inTransaction(mongo.connection, TIMEOUT_MS, async (session) => {
    tries += 1;
    await things().insertOne({ _id: 'wrong' }, { session });
    throw new Error('no');
  });
  await expect(wrong).rejects.toThrow('no');
  expect([tries, await written('wrong')]).toEqual([1, false]);
});

test('a transaction keeps the delay between its retries short, so that new transactions do not overtake it', async () => {
  const maxPauses = jest.spyOn(Math, 'random').mockReturnValue(0.999);
  await things().insertOne({ _id: 'hot', n: 0 });
  const increment = (session: ClientSession) => things().updateOne({ _id: 'hot' }, { $inc: { n: 1 } }, { session });
  const other = await mongo.connection.startSession();
  other.startTransaction();
  await increment(other);
  const attempts: number[] = [];
  const waiting = inTransaction(mongo.connection, RECOVERY_MS, async (session) => {
    attempts.push(performance.now());
    await increment(session);
  });
  await until(() => attempts.length >= 20);
  await other.commitTransaction();
  await waiting;
  await other.endSession();
  maxPauses.mockRestore();
  const late = attempts.slice(15, 20);
  const pauses = late.slice(1).map((at, i) => at - late[i]!);
  expect(Math.min(...pauses)).toBeLessThan(200);
});

test('the commit is retried if the driver throws a TypeError because of a broken socket', async () => {
  const write = async (session: ClientSession): Promise<void> => {
    await mongo.connection.collection('things').insertOne({ name: 'commit retried' }, { session });
    // The driver throws this when it checks the labels of an error of Node.js, which has none.
    jest
      .spyOn(session, 'commitTransaction')
      .mockRejectedValueOnce(new TypeError('error.hasErrorLabel is not a function'));
  };
  await inTransaction(mongo.connection, RECOVERY_MS, write);
  expect(await mongo.connection.collection('things').countDocuments({ name: 'commit retried' })).toBe(1);
});

const { MongoNetworkError, MongoServerSelectionError } = mongoose.mongo;
test.each([
  ['a connection that the pool had already dropped', new MongoNetworkError('connection 1 closed')],
  ['a retry that found no server', new MongoServerSelectionError('no primary', {} as never)],
])(
  'a committed transaction is not run again if the response is lost and the driver throws the error of %s',
  async (name, unlabeled) => {
    let runs = 0;
    await inTransaction(mongo.connection, RECOVERY_MS, async (session) => {
      runs += 1;
      await things().insertOne({ _id: name }, { session });
      const commit = session.commitTransaction.bind(session);
      jest.spyOn(session, 'commitTransaction').mockImplementationOnce(async () => {
        await commit();
        throw unlabeled;
      });
    });
    expect([runs, await written(name)]).toEqual([1, true]);
  },
);
