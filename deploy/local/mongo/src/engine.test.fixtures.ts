import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Collection, type Document, type MongoClientOptions } from 'mongodb';
import { Engine } from './engine.js';
import { decode } from './language/decode.js';
import type { Document as Decoded } from './language/values.js';
import { startMongo, type Mongo, type MongoOptions } from './server.js';

/** An engine in this process with its own data folder, and the clients of a test. */
export class TestEngine {
  readonly #clients: MongoClient[] = [];

  private constructor(
    readonly dataDir: string,
    public mongo: Mongo,
  ) {}

  static async start(options: Omit<MongoOptions, 'dataDir'> = {}): Promise<TestEngine> {
    const dataDir = await mkdtemp(join(tmpdir(), 'mongo-test-'));
    return new TestEngine(dataDir, await startMongo({ ...options, dataDir }));
  }

  async client(options: MongoClientOptions = {}): Promise<MongoClient> {
    const client = await new MongoClient(this.mongo.uri, options).connect();
    this.#clients.push(client);
    return client;
  }

  /** Returns a collection that no other test uses. The options apply only if no client is connected yet. */
  async collection<T extends Document = Document>(options: MongoClientOptions = {}): Promise<Collection<T>> {
    const client = this.#clients[0] ?? (await this.client(options));
    return client.db('test').collection<T>(`c${(collections += 1)}`);
  }

  /** Restarts the engine on the same data, with default options. Closes earlier clients. */
  async restart(): Promise<void> {
    await this.#closeClients();
    await this.mongo.stop();
    this.mongo = await startMongo({ dataDir: this.dataDir });
  }

  async stop(): Promise<void> {
    await this.#closeClients();
    await this.mongo.stop();
    await rm(this.dataDir, { recursive: true });
  }

  async #closeClients(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }
}

let collections = 0;

/** Polls until `check` returns true. Fails after `ms`. */
export async function eventually(check: () => boolean | Promise<boolean>, ms = 5000): Promise<void> {
  const until = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > until) throw new Error(`not true within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Returns the error that the promise rejects with. Fails if it resolves. */
export async function rejection(
  promise: Promise<unknown>,
): Promise<
  Error & { code?: number; codeName?: string; errorLabels?: string[]; hasErrorLabel?(label: string): boolean }
> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('should have been rejected');
}

/** Long enough that no TTL pass starts by itself during a test. */
const TTL_INTERVAL_SECONDS = 3600;

/** An engine without a socket, for commands that no driver would send. */
export class DirectEngine {
  readonly client = { id: 1, address: 'direct', closed: false };

  private constructor(
    readonly engine: Engine,
    readonly dataDir: string,
  ) {}

  static async open(dataDir: string): Promise<DirectEngine> {
    return new DirectEngine(await Engine.open(dataDir, () => undefined, TTL_INTERVAL_SECONDS), dataDir);
  }

  /** Returns the reply to a command, with the documents of a cursor in `documents`. */
  async run(body: Decoded): Promise<Decoded> {
    const withDatabase = { ...body, $db: body['$db'] ?? 'test' };
    const request = { id: 1, body: withDatabase, silent: false, stream: false, legacy: false };
    const reply = await this.engine.handle(this.client, request);
    const { cursor, ...rest } = reply as { cursor?: { firstBatch?: Buffer[]; nextBatch?: Buffer[]; id: bigint } };
    if (!cursor) return reply;
    const documents = (cursor.firstBatch ?? cursor.nextBatch)!.map((raw) => decode(raw));
    return { ...rest, documents, cursorId: cursor.id };
  }

  /** Returns all documents of a collection, sorted by `_id`. */
  async all(collection: string): Promise<Decoded[]> {
    return (await this.run({ find: collection, sort: { _id: 1 }, batchSize: 100_000 }))['documents'] as Decoded[];
  }

  async close(): Promise<void> {
    this.engine.beginStop();
    await this.engine.close();
  }

  /** Closes this engine. Returns a new one on the same data. */
  async reopen(): Promise<DirectEngine> {
    await this.close();
    return DirectEngine.open(this.dataDir);
  }
}
