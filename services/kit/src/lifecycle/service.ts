import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { serveAdmin } from './admin.js';
import { Bus, connectionOptions, meterConsumers } from '../bus/index.js';
import { meterCertificates } from '../telemetry/certificate-meter.js';
import type { mongoSettings, natsSettings, processSettings } from '../config/config.js';
import { meterConnection } from '../telemetry/connection-meter.js';
import { createLog, type Log } from '../telemetry/log.js';
import { createMetrics, type Registry } from '../telemetry/metrics.js';
import {
  answersPing,
  connectMongo,
  explainMongo,
  makeCollections,
  meterDeadLetters,
  Outbox,
  type DeadLetter,
  type Mongo,
} from '../mongo/index.js';
import { serveOperators, shardingTable } from '../operator/index.js';
import { openCertificates, serveRpc, type Certificates, type RpcTable } from '../rpc/index.js';
import type { rpcSettings } from '../config/rpc-settings.js';
import { Stack, type Running } from './run.js';

export { maintenanceCommand, type Maintained } from './maintenance.js';

type Settings = typeof processSettings &
  ReturnType<typeof mongoSettings> &
  typeof natsSettings &
  ReturnType<typeof rpcSettings>;

/** The settings of a service with its own database. */
export type ServiceConfig = z.infer<z.ZodObject<Settings>>;

/** The infrastructure of a service. */
export interface ServiceContext<M> {
  log: Log;
  registry: Registry;
  /** Components; stopped in reverse order. */
  stack: Stack;
  bus: Bus;
  mongo: Mongo;
  models: M;
  outbox: Outbox;
  /** RPC tables that only operators may call. */
  operators: RpcTable[];
  /** Checks of optional dependencies; /readyz names the unavailable ones. */
  optional: Record<string, () => boolean>;
  /** Certificates for calls between services; undefined for plaintext. */
  certificates: Certificates | undefined;
  /** Maximum duration of a drain, milliseconds. */
  drainMs: number;
}

export interface ServiceOptions<M extends object> {
  name: string;
  config: ServiceConfig;
  createModels: (connection: Connection) => M;
  /** Creates collections and indexes; default: those of the models. */
  prepare?: (models: M) => Promise<void>;
}

/** Part of the drain reserved for the steps after the running calls, milliseconds. */
const LAST_MS = 1_000;

/**
 * Starts a service with a database and RPCs: connects, calls `wire` to build its components and RPC tables, and serves
 * these. Rejects, with nothing left running, if a port is in use. An unavailable database or bus does not prevent the start.
 */
export async function startService<M extends object>(
  { name, config, createModels, prepare = makeCollections }: ServiceOptions<M>,
  wire: (context: ServiceContext<M>) => RpcTable[],
): Promise<Running> {
  const log = createLog(name, config.LOG_LEVEL);
  const stack = new Stack(log);
  try {
    const context = connect(name, config, { log, stack, createModels, prepare });
    const addresses = await serve(name, config, context, wire(context));
    return { addresses, stop: () => stack.stop(), drainMs: config.DRAIN_TIMEOUT_MS };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function connect<M extends object>(
  name: string,
  config: ServiceConfig,
  {
    log,
    stack,
    createModels,
    prepare,
  }: Pick<ServiceContext<M>, 'log' | 'stack'> & Required<Pick<ServiceOptions<M>, 'createModels' | 'prepare'>>,
): ServiceContext<M> {
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
  // Requests are served without the bus: events wait in the outbox.
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
  { log, registry, stack, bus, mongo, operators, optional, certificates, drainMs }: ServiceContext<M>,
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
