import { isAbsolute, resolve } from 'node:path';
import {
  defaultPlanSetting,
  mongoSettings,
  natsSettings,
  port,
  processSettings,
  readConfig,
  redisSettings,
} from '@tautan/kit';
import { z } from 'zod';

/** Every setting of the local stack; what its children read besides stands in their own READMEs. */
const schema = z.object({
  /** The front: the only port that has to be known. */
  PORT: port(8_080),
  /** Folder for everything that outlives a restart, from where the command is run. */
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => (isAbsolute(path) ? path : resolve(path))),
  /** A real MongoDB (a replica set) instead of the embedded engine. */
  MONGODB_URI: mongoSettings('').MONGODB_URI.optional(),
  /** Begins the names of the databases, so that several stacks can share one MongoDB. */
  DATABASE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,40}$/, 'must be up to 40 letters, digits, _ or -')
    .default(''),
  /** A real NATS server with JetStream instead of the embedded broker. */
  ...natsSettings,
  NATS_URL: natsSettings.NATS_URL.optional(),
  ...redisSettings,
  /** Port of the local identity provider. It is kept, since its address is a part of everybody's identity. */
  IDENTITY_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Requests per minute and client address to each operation of the local identity provider that needs no credentials. */
  IDENTITY_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(300),
  /** Whether the email address of whoever signs up on this machine counts as verified. Default: while BIND_HOST is on loopback. */
  IDENTITY_TRUST_SIGN_UPS: z.stringbool().optional(),
  /** Another identity provider instead of the local one; the services take its further settings themselves. */
  IDENTITY_URL: z.url().optional(),
  IDENTITY_CLIENT_ID: z.string().default('tautan'),
  IDENTITY_DEVICE_CLIENT_ID: z.string().default('tautan-cli'),
  /** Port of the local payments sandbox. Default: one that is free, and kept. */
  PAYMENT_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Of another payment provider instead of the sandbox; billing takes it and the further settings itself. */
  PAYMENT_SECRET_KEY: z.string().min(1).optional(),
  /** The plan of every workspace, instead of plans that are sold. Unless it is FREE, there is no payments sandbox. */
  DEFAULT_PLAN: defaultPlanSetting,
  /** What stored tokens are sealed under. Default: a key of the data folder. */
  ENCRYPTION_KEYS: z.string().optional(),
  /** Processes of each role of the product, behind the front and client-side load balancing. */
  REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** Address of the front, the identity provider and the payments sandbox. All others are on loopback. */
  BIND_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: processSettings.LOG_LEVEL,
});

export type Settings = z.infer<typeof schema>;

/** Reads the settings. Throws a ConfigError that names all problems. */
export const readSettings = (env: Record<string, string | undefined>): Settings => readConfig(schema, env);
