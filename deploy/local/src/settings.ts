import { isAbsolute, resolve } from 'node:path';
import { mongoSettings, natsSettings, port, processSettings, readConfig, redisSettings } from '@tautan/kit';
import { defaultPlanSetting } from '@tautan/plans';
import { z } from 'zod';

/** Values of BIND_HOST with which servers are reachable at localhost, the host in all URLs of the stack. */
const bindHosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/** Settings of the local stack. The settings of each service are described in its README. */
const schema = z.object({
  /** Port of the front, the HTTP proxy for the gateway and redirect processes. */
  PORT: port(8_080),
  /** Data folder, relative to the working directory of the command. */
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => (isAbsolute(path) ? path : resolve(path))),
  /** URI of a real MongoDB replica set to use instead of the embedded engine. */
  MONGODB_URI: mongoSettings('').MONGODB_URI.optional(),
  /** Prefix of database names, so that several stacks can share one MongoDB. */
  DATABASE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,40}$/, 'must be up to 40 letters, digits, _ or -')
    .default(''),
  /** Connection to a real NATS server with JetStream, used instead of the embedded broker if NATS_URL is set. */
  ...natsSettings,
  NATS_URL: natsSettings.NATS_URL.optional(),
  ...redisSettings,
  /**
   * Port of the local identity provider. Default: that of the previous start, because the issuer URL is part of every
   * user's identity; at the first start, a port is chosen.
   */
  IDENTITY_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Maximum requests per minute per client address to each rate-limited operation of the local identity provider. */
  IDENTITY_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(300),
  /**
   * Whether email addresses of sign-ups from this machine count as verified. Default: true if BIND_HOST is a loopback
   * address, otherwise false.
   */
  IDENTITY_TRUST_SIGN_UPS: z.stringbool().optional(),
  /** Whether the local identity provider hashes passwords with a low work factor, for tests that create many users. */
  IDENTITY_FAST_PASSWORD_HASHES: z.stringbool().default(false),
  /**
   * URL of an external identity provider, used instead of the local one. The services inherit the URL and further
   * settings of the provider, such as its client secret, from the environment of the stack.
   */
  IDENTITY_URL: z.url().optional(),
  /** Audience of the external provider's access tokens. Default: the URL of the API. */
  IDENTITY_AUDIENCE: z.string().min(1).optional(),
  /** Ids of the external provider's clients for the web application and the CLI. The local provider's ids are fixed. */
  IDENTITY_CLIENT_ID: z.string().default('tautan'),
  IDENTITY_DEVICE_CLIENT_ID: z.string().default('tautan-cli'),
  /** Port of the local payment sandbox. Default: chosen at the first start, and kept as long as it is free. */
  PAYMENT_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /**
   * Secret key of an external payment provider, used instead of the sandbox. The billing service reads the key and the
   * provider's other settings.
   */
  PAYMENT_SECRET_KEY: z.string().min(1).optional(),
  /** Plan of every workspace without a subscription. Unless it is FREE, there is no payment sandbox. */
  DEFAULT_PLAN: defaultPlanSetting,
  /** Keys that encrypt stored secrets. Default: a key in the data folder. */
  ENCRYPTION_KEYS: z.string().optional(),
  /**
   * Number of processes of each role except the embedded servers. The front and the services' gRPC clients balance the
   * load.
   */
  REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** Address of the front, the identity provider and the payment sandbox. All other servers listen on loopback. */
  BIND_HOST: z
    .string()
    .default('127.0.0.1')
    .refine(
      (host) => bindHosts.includes(host),
      `must be one of ${bindHosts.join(', ')}, because the URLs of the stack use localhost`,
    ),
  LOG_LEVEL: processSettings.LOG_LEVEL,
});

export type Settings = z.infer<typeof schema>;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readSettings = (env: Record<string, string | undefined>): Settings => readConfig(schema, env);
