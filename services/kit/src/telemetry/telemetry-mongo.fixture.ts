// For the test of MongoDB spans: runs many concurrent requests on a small connection pool. Each sends standalone
// commands, commands in a transaction, and a batched query. The argument is the database URL. Prints the trace id of
// each request.
import { telemetryEnvironment } from '../config/telemetry-environment.js';
import { Batcher } from '../async/batcher.js';
import { createLog } from './log.js';
import { connectMongo } from '../mongo/index.js';
import { inTransaction } from '../mongo/transaction.js';
import { inSpan, startTelemetry, traceparent } from './telemetry.js';

const [uri] = process.argv.slice(2);
const REQUESTS = 20;
const log = createLog('fixture', 'silent');
const stop = await startTelemetry('fixture', telemetryEnvironment(), log);
const mongo = connectMongo({
  uri: uri!,
  database: 'traced',
  poolSize: 4,
  name: 'fixture',
  log,
  prepare: async (connection) => {
    await connection.createCollection('alone');
    await connection.createCollection('together');
  },
});
await mongo.whenReady;
const { connection } = mongo;
const batcher = new Batcher<number, void>({
  maxSize: 10,
  concurrency: 2,
  lingerMs: 1,
  apply: async (items) => {
    await connection
      .collection('gathered')
      .find({ n: { $in: items } })
      .toArray();
    return items.map(() => undefined);
  },
});

const traces: Record<number, string> = {};
const request = (n: number): Promise<void> =>
  inSpan(`request ${n}`, { kind: 'server', from: [] }, async () => {
    traces[n] = traceparent()!.split('-')[1]!;
    // The collection's name identifies the request in its spans. No span may contain the filter.
    await connection.collection(`of_${n}`).findOne({ secret: 'do-not-record' });
    await connection
      .collection<{ _id: number; n: number }>('alone')
      .updateOne({ _id: n }, { $set: { n } }, { upsert: true });
    await inTransaction(connection, 10_000, async (session) => {
      await connection.collection<{ _id: number }>('together').insertOne({ _id: n }, { session });
      await connection.collection(`of_${n}`).findOne({}, { session });
    });
    await batcher.run(n);
  });
await Promise.all(Array.from({ length: REQUESTS }, (_, n) => request(n)));
await inSpan('failing', { kind: 'server', from: [] }, async () => {
  await connection
    .collection('alone')
    .find({ $nonsense: 'do-not-record' })
    .toArray()
    .catch(() => {});
});
// Not part of any request.
await connection.collection('untraced').findOne({});
await mongo.close();
await stop();
process.stdout.write(JSON.stringify(traces));
process.exit(0);
