import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { serveAdmin } from './admin.js';
import { Bus, connectionOptions, meterConsumers } from './bus/index.js';
import { meterCertificates } from './certificate-meter.js';
import type { mongoSettings, natsSettings, processSettings, rpcSettings } from './config.js';
import { meterConnection } from './connection-meter.js';
import { createLog, type Log } from './log.js';
import { createMetrics, type Registry } from './metrics.js';
import {
  connectMongo,
  explainMongo,
  makeCollections,
  meterDeadLetters,
  Outbox,
  type DeadLetter,
  type Mongo,
} from './mongo/index.js';
import { serveRpc, type RpcTable, type Tls } from './rpc/index.js';
import { Stack, type Running } from './run.js';

type Settings = typeof processSettings & ReturnType<typeof mongoSettings> & typeof natsSettings & typeof rpcSettings;

/** The settings that a service with a database of its own has besides others. */
export type ServiceConfig = z.infer<z.ZodObject<Settings>>;

/** What a service stands on. */
export interface Ground<M> {
  log: Log;
  registry: Registry;
  /** What is added is stopped before all that was there. */
  stack: Stack;
  bus: Bus;
  mongo: Mongo;
  models: M;
  outbox: Outbox;
  /** What the service serves without, with less; /readyz names what is missing. */
  optional: Record<string, () => boolean>;
  /** Of the calls between services. */
  tls: Tls;
  /** Longest time for what a stop waits for, milliseconds. */
  drainMs: number;
}

export interface ServiceOptions<M extends object> {
  name: string;
  config: ServiceConfig;
  createModels: (connection: Connection) => M;
  /** Makes collections and indexes; those of the models where it is not given. */
  prepare?: (models: M) => Promise<void>;
}

/** What is kept of the drain for what comes after the calls under way, milliseconds. */
const LAST_MS = 1_000;

/**
 * Starts a service that has a database and answers RPCs: connects, lets `wire` put its parts together and answer their
 * tables, and serves these. Rejects, with nothing left running, when a port is taken; a database or bus that is away keeps
 * nothing from starting.
 */
export async function startService<M extends object>(
  { name, config, createModels, prepare = makeCollections }: ServiceOptions<M>,
  wire: (ground: Ground<M>) => RpcTable[],
): Promise<Running> {
  const log = createLog(name, config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const ground = connect(name, config, { log, stack, createModels, prepare });
    const addresses = await serve(config, ground, wire(ground));
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function connect<M extends object>(
  name: string,
  config: ServiceConfig,
  { log, stack, createModels, prepare }: Pick<Ground<M>, 'log' | 'stack'> & Required<Pick<ServiceOptions<M>, 'createModels' | 'prepare'>>, // prettier-ignore
): Ground<M> {
  const registry = createMetrics(name);
  const bus = new Bus({ ...connectionOptions(config), name, log });
  stack.add('bus', bus, () => bus.close());
  bus.onChange(meterConnection(registry, 'nats'));
  meterConsumers(registry, bus);
  meterCertificates(registry, { rpc: config.RPC_TLS_CERT, nats: config.NATS_TLS_CERT });
  const mongo = connectMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    poolSize: config.MONGODB_POOL_SIZE,
    name,
    log,
    onChange: meterConnection(registry, 'mongodb'),
    prepare: async () => void (await Promise.all([prepare(models), outbox.prepare()])),
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const { deadLetters } = models as { deadLetters?: Model<DeadLetter> };
  if (deadLetters) meterDeadLetters(registry, deadLetters, mongo.ready);
  const outbox = new Outbox({ connection: mongo.connection, bus, log, registry });
  stack.add('outbox', outbox, () => outbox.stop());
  const tls = { ca: config.RPC_TLS_CA, cert: config.RPC_TLS_CERT, key: config.RPC_TLS_KEY };
  const drainMs = Math.max(100, config.DRAIN_TIMEOUT_MS - LAST_MS);
  // Without the bus requests are served: events wait in the outbox.
  const optional = { nats: () => bus.connected };
  return { log, registry, stack, bus, mongo, models, outbox, optional, tls, drainMs };
}

async function serve<M>(
  { RPC_PORT, ADMIN_PORT, BIND_HOST: host }: ServiceConfig,
  { log, registry, stack, mongo, optional, tls, drainMs }: Ground<M>,
  tables: RpcTable[],
): Promise<Running['addresses']> {
  const rpc = await serveRpc({
    port: RPC_PORT,
    host,
    tables,
    log,
    registry,
    explain: explainMongo,
    ready: mongo.ready,
    tls,
  });
  stack.add('rpc', rpc, () => rpc.stop(drainMs));
  const required = { mongodb: () => mongo.ready() && mongo.connected() };
  const admin = await serveAdmin({ port: ADMIN_PORT, host, registry, log, required, optional });
  stack.add('admin', admin, () => admin.stop());
  return { grpc: rpc.port, admin: admin.port };
}
