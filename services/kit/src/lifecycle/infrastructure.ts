import type { Connection, Model } from 'mongoose';
import type { z } from 'zod';
import { Bus, connectionOptions, meterConsumers } from '../bus/index.js';
import type { mongoSettings, natsSettings, processSettings } from '../config/config.js';
import type { rpcSettings } from '../config/rpc-settings.js';
import {
  connectMongo,
  createCollections,
  meterDeadLetters,
  Outbox,
  type DeadLetter,
  type Mongo,
} from '../mongo/index.js';
import { meterCertificates } from '../telemetry/certificate-meter.js';
import { meterConnection } from '../telemetry/connection-meter.js';
import type { Log } from '../telemetry/log.js';
import { createMetrics, type Registry } from '../telemetry/metrics.js';
import type { Stack } from './run.js';

type Settings = typeof processSettings &
  ReturnType<typeof mongoSettings> &
  typeof natsSettings &
  ReturnType<typeof rpcSettings>;

/** The settings of a service with its own database. */
export type ServiceConfig = z.infer<z.ZodObject<Settings>>;

/** The connections of a process. */
export interface Infrastructure<M> {
  log: Log;
  registry: Registry;
  /** Components; stopped in reverse order. */
  stack: Stack;
  bus: Bus;
  mongo: Mongo;
  models: M;
  /** Undefined in a process that emits no events. */
  outbox: Outbox | undefined;
}

export interface InfrastructureOptions<M extends object> {
  name: string;
  config: ServiceConfig;
  log: Log;
  stack: Stack;
  createModels: (connection: Connection) => M;
  /** Creates collections and indexes; default: those of the models. */
  prepare?: (models: M) => Promise<void>;
  /**
   * Whether the process emits events. If so, it also reports the number of stored dead letters as a metric. Default:
   * true.
   */
  emitsEvents?: boolean;
}

/** Connects to the database and the bus, and creates the outbox. Does not wait for the connections. */
export function connectInfrastructure<M extends object>({
  name,
  config,
  log,
  stack,
  createModels,
  prepare = createCollections,
  emitsEvents = true,
}: InfrastructureOptions<M>): Infrastructure<M> {
  const registry = createMetrics(name);
  const bus = new Bus({ ...connectionOptions(config, log), name, log });
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
    prepare: async () => void (await Promise.all([prepare(models), outbox?.prepare()])),
  });
  stack.add('mongo', mongo, () => mongo.close());
  const models = createModels(mongo.connection);
  const outbox = emitsEvents ? new Outbox({ connection: mongo.connection, bus, log, registry }) : undefined;
  if (outbox) stack.add('outbox', outbox, (it) => it.stop());
  const { deadLetters } = models as { deadLetters?: Model<DeadLetter> };
  if (emitsEvents && deadLetters) meterDeadLetters(registry, deadLetters, mongo.ready);
  return { log, registry, stack, bus, mongo, models, outbox };
}
