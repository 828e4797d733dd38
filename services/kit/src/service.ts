import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { serveAdmin } from './admin.js';
import { Bus, connectionOptions, meterConsumers } from './bus/index.js';
import { meterCertificates } from './certificate-meter.js';
import type { mongoSettings, natsSettings, processSettings } from './config.js';
import { meterConnection } from './connection-meter.js';
import { createLog, type Log } from './log.js';
import { createMetrics, type Registry } from './metrics.js';
import {
  answersPing,
  connectMongo,
  explainMongo,
  makeCollections,
  meterDeadLetters,
  Outbox,
  type DeadLetter,
  type Mongo,
} from './mongo/index.js';
import { serveOperators, shardingTable } from './operator/index.js';
import { openCertificates, serveRpc, type Certificates, type RpcTable } from './rpc/index.js';
import type { rpcSettings } from './rpc-settings.js';
import { Stack, type Running } from './run.js';

export { maintenanceCommand, type Maintained } from './maintenance.js';

type Settings = typeof processSettings &
  ReturnType<typeof mongoSettings> &
  typeof natsSettings &
  ReturnType<typeof rpcSettings>;

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
  /** Tables that operators alone may call. */
  operators: RpcTable[];
  /** What the service serves without, with less; /readyz names what is missing. */
  optional: Record<string, () => boolean>;
  /** Of the calls between services; undefined where they are plaintext. */
  certificates: Certificates | undefined;
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
    const addresses = await serve(name, config, ground, wire(ground));
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
  const certificates = openCertificates(config, { log, registry });
  stack.add('certificates', certificates, async () => certificates?.stop());
  const drainMs = Math.max(100, config.DRAIN_TIMEOUT_MS - LAST_MS);
  // Without the bus requests are served: events wait in the outbox.
  const optional = { nats: () => bus.connected };
  return {
    log,
    registry,
    stack,
    bus,
    mongo,
    models,
    outbox,
    operators: [shardingTable(mongo.connection, models)],
    optional,
    certificates,
    drainMs,
  };
}

async function serve<M>(
  name: string,
  { RPC_PORT, RPC_ACCEPTED_NAMES: acceptedNames, ADMIN_PORT, OPERATOR_PORT, BIND_HOST: host }: ServiceConfig,
  { log, registry, stack, bus, mongo, operators, optional, certificates, drainMs }: Ground<M>,
  tables: RpcTable[],
): Promise<Running['addresses']> {
  const { connection, ready } = mongo;
  const tls = certificates && { certificates, acceptedNames };
  const rpc = await serveRpc({ port: RPC_PORT, host, tables, log, registry, explain: explainMongo, ready, tls });
  stack.add('rpc', rpc, () => rpc.stop(drainMs));
  const required = { mongodb: () => mongo.ready() && mongo.connected() };
  const admin = await serveAdmin({ port: ADMIN_PORT, host, registry, log, required, optional });
  stack.add('admin', admin, () => admin.stop());
  const operator = await serveOperators({
    port: OPERATOR_PORT,
    tables: operators,
    bus,
    service: name,
    connections: { mongodb: () => answersPing(connection) },
    log,
    registry,
    explain: explainMongo,
  });
  stack.add('operators', operator, () => operator.stop(drainMs));
  return { grpc: rpc.port, admin: admin.port, operator: operator.port };
}
