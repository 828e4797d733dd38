import mongoose, { Schema } from 'mongoose';
import type { EnginePlan, EngineResult } from '../benchmarks/engine.js';
import { Latencies } from '../statistics.js';

/** The client process of the engine benchmark. Uses mongoose as a service does. */

interface Visitor {
  _id: string;
  email: string;
  name: string;
  visits: number;
  createdAt: Date;
}

const schema = new Schema<Visitor>(
  { _id: String, email: String, name: String, visits: Number, createdAt: Date },
  { versionKey: false, autoIndex: false },
);
schema.index({ email: 1 });

const connection = await mongoose
  .createConnection(process.env['MONGODB_URI']!, {
    dbName: process.env['DATABASE']!,
    maxPoolSize: 50,
    autoIndex: false,
    autoCreate: false,
  })
  .asPromise();
const model = connection.model('visitors', schema, 'visitors');
const journal = connection.model('journal', schema, 'journal');

const idOf = (n: number): string => `visitor_${String(n).padStart(8, '0')}`;
// Spread over the whole key range, so that reads are not sequential.
const emailOf = (n: number): string => `${((n * 2_654_435_761) % 4_294_967_296).toString(36)}.${n}@example.com`;
const aVisitor = (n: number): Visitor => ({
  _id: idOf(n),
  email: emailOf(n),
  name: `Visitor ${n}`,
  visits: 0,
  createdAt: new Date(),
});

let filled = 0;
let added = 0;
const randomIndex = (): number => Math.floor(Math.random() * filled);
const assertFound = (document: unknown): void => {
  if (!document) throw new Error('an existing document was not found');
};

const operations: Record<string, () => Promise<void>> = {
  ping: async () => void (await connection.db!.command({ ping: 1 })),
  insert: async () => void (await model.create(aVisitor(10_000_000 + (added += 1)))),
  byId: async () => assertFound(await model.findById(idOf(randomIndex())).lean()),
  byIndex: async () => assertFound(await model.findOne({ email: emailOf(randomIndex()) }).lean()),
  transaction: async () => {
    const n = (added += 1);
    // Every transaction writes its own documents, to avoid write conflicts.
    await connection.transaction(async (session) => {
      await model.create([aVisitor(20_000_000 + n)], { session });
      await model.updateOne({ _id: idOf(n % filled) }, { $inc: { visits: 1 } }, { session });
      await journal.create([aVisitor(30_000_000 + n)], { session });
    });
  },
};

async function fill({ documents }: EnginePlan): Promise<EngineResult> {
  await model.createCollection();
  await journal.createCollection();
  await model.createIndexes();
  const began = performance.now();
  const BATCH = 5_000;
  const batches = Array.from({ length: Math.ceil(documents! / BATCH) }, (_, i) => i * BATCH);
  const worker = async (): Promise<void> => {
    for (let from = batches.shift(); from !== undefined; from = batches.shift()) {
      const size = Math.min(BATCH, documents! - from);
      await model.collection.insertMany(Array.from({ length: size }, (_, i) => aVisitor(from + i)) as never[]);
    }
  };
  await Promise.all([worker(), worker()]);
  const seconds = (performance.now() - began) / 1_000;
  filled = await model.estimatedDocumentCount();
  return { perSecond: filled / seconds, p50: NaN, p99: NaN, ownCpu: NaN };
}

async function measure({ operation, inFlight, durationMs }: EnginePlan): Promise<EngineResult> {
  const run = operations[operation]!;
  filled ||= await model.estimatedDocumentCount();
  const latencies = new Latencies();
  const cpu = process.cpuUsage();
  const began = performance.now();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let at = performance.now(); at - began < durationMs!;) {
      await run();
      const now = performance.now();
      latencies.add(now - at);
      done += 1;
      at = now;
    }
  };
  await Promise.all(Array.from({ length: inFlight! }, worker));
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: (done / ms) * 1_000,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
    ownCpu: (user + system) / 1_000 / ms,
  };
}

process.on('message', (plan: EnginePlan) => {
  (plan.operation === 'fill' ? fill(plan) : measure(plan)).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ports: {} });
