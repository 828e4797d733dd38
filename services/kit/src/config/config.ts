import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

/** Thrown if settings are invalid. Its message lists all problems, one per line. */
export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads settings from the environment with a schema keyed by variable name. An empty variable counts as unset. Throws a
 * ConfigError that lists all problems.
 */
export function readConfig<S extends z.ZodObject>(schema: S, env: Record<string, string | undefined>): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const replaced = Object.entries(replacedSettings).filter(([name]) => given[name] !== undefined);
  const isGiven = (name: string): boolean => name in schema.shape && given[name] !== undefined;
  const problems = [...replaced.map(([name, by]) => `${name}: was replaced by ${by}`), ...groupProblems(isGiven)];
  const result = schema.safeParse(given);
  if (result.success && problems.length === 0) return result.data;
  const invalid = (result.error?.issues ?? []).map(({ code, path, message }) => {
    const name = path.join('.');
    const isMissing = given[name] === undefined && code !== 'custom';
    return `${name}: ${isMissing ? 'must be set' : message}`;
  });
  throw new ConfigError([...problems, ...invalid]);
}

/** Settings that must be set together. */
const together: string[][] = [
  ['RPC_TLS_CA', 'RPC_TLS_CERT', 'RPC_TLS_KEY'],
  ['NATS_USER', 'NATS_PASSWORD'],
  ['NATS_TLS_CERT', 'NATS_TLS_KEY'],
  ['REDIS_TLS_CERT', 'REDIS_TLS_KEY'],
];

/** Mutually exclusive settings. */
const alternatives: string[][] = [['NATS_USER', 'NATS_TOKEN', 'NATS_CREDS_FILE', 'NATS_NKEY_FILE']];

function groupProblems(isGiven: (name: string) => boolean): string[] {
  const missing = together.flatMap((names) => {
    const others = names.filter(isGiven).join(' and ');
    return others
      ? names.filter((name) => !isGiven(name)).map((name) => `${name}: must be set together with ${others}`)
      : [];
  });
  const surplus = alternatives.flatMap((names) => {
    const [first, ...others] = names.filter(isGiven);
    return others.map((name) => `${name}: must not be set together with ${first}`);
  });
  return [...missing, ...surplus];
}

/** Settings of earlier versions. Setting one is an error, because ignoring it would change behavior silently. */
const replacedSettings: Record<string, string> = {
  RATE_LIMITS_FREE: 'PLAN_FREE',
  RATE_LIMITS_PRO: 'PLAN_PRO',
  RATE_LIMITS_BUSINESS: 'PLAN_BUSINESS',
  STATS_RETENTION_DAYS_FREE: 'PLAN_FREE',
  STATS_RETENTION_DAYS_PRO: 'PLAN_PRO',
  STATS_RETENTION_DAYS_BUSINESS: 'PLAN_BUSINESS',
};

/** A TCP port, 0 for any free one. */
export const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);

/** true/1/yes/on or false/0/no/off. */
export const flag = (fallback: boolean) => z.stringbool().default(fallback);

/** A public http(s) URL without a path; parsed to its origin. */
export const publicAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) address', abort: true })
  .refine(
    (text) => new URL(text).href === `${new URL(text).origin}/`,
    'must be only a scheme, a host and an optional port',
  )
  .transform((text) => new URL(text).origin);

/** A comma-separated list. */
export const list = (fallback: string[] = []) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .default(fallback);

const httpAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' });

/**
 * Tracing settings: standard variables of OpenTelemetry. Its SDK reads them (and others) itself; the ones here are also
 * validated, like all other settings. If neither an endpoint nor OTEL_TRACES_EXPORTER is set, nothing is recorded and
 * the SDK is not loaded.
 */
const telemetrySettings = {
  /** Base URL of the OTLP collector. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddress.optional(),
  /** Complete URL for traces, instead of the base URL. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpAddress.optional(),
  /** `none` records nothing. `otlp` records even without an endpoint, and sends to localhost. */
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf', 'http/json', 'grpc']).optional(),
  /** Which new traces are sampled. Default: parentbased_always_on. */
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .optional(),
  /** Ratio of sampled traces for ratio samplers, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
};

/** Settings of every process. */
export const processSettings = {
  ...telemetrySettings,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Address that listeners bind to, except the listener for operator calls, which binds to loopback. */
  BIND_HOST: z.string().default('0.0.0.0'),
  /** Serves /metrics, /healthz and /readyz. */
  ADMIN_PORT: port(9090),
  /** Maximum duration of a drain after SIGTERM, milliseconds. */
  DRAIN_TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).default(8_000),
};

/** Settings of a process that uses MongoDB. */
export const mongoSettings = (database: string) => ({
  /** Connection string, with the credentials and the TLS options. */
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must be a mongodb:// or mongodb+srv:// address')
    .superRefine((uri, context) => {
      for (const [name, path] of new URLSearchParams(uri.split('?')[1]))
        if (/^tls\w+File$/i.test(name) && !isReadable(path))
          context.addIssue({ code: 'custom', message: `${name}=${path} cannot be read` });
    }),
  MONGODB_DATABASE: z.string().max(63).default(database),
  MONGODB_POOL_SIZE: z.coerce.number().int().min(1).max(1_000).default(50),
});

/**
 * Reads the database and NATS settings of a service for its `migrate` command. Throws a ConfigError that lists all
 * problems.
 */
export const readMigrationConfig = (service: string, env: Record<string, string | undefined> = process.env) =>
  readConfig(z.object({ ...mongoSettings(`tautan_${service}`), ...natsSettings }), env);

/** Path of a readable file. */
export const file = z.string().refine(isReadable, 'cannot be read');

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Settings of a process that uses NATS. Files are read at each connection, so that they can be rotated. */
export const natsSettings = {
  /** One or more comma-separated URLs; tls:// enables TLS. */
  NATS_URL: z
    .string()
    .refine(
      (text) => text.split(',').every((each) => /^(nats|tls):\/\//.test(each)),
      'must be a nats:// or tls:// address',
    )
    .refine((text) => !text.includes('@'), 'must not contain credentials: set NATS_USER and NATS_PASSWORD'),
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  NATS_USER: z.string().optional(),
  NATS_PASSWORD: z.string().optional(),
  NATS_TOKEN: z.string().optional(),
  /** File with a JWT and its seed, as written by `nsc generate creds`. */
  NATS_CREDS_FILE: file.optional(),
  /** File with the seed of an nkey. */
  NATS_NKEY_FILE: file.optional(),
  /** PEM files: the CA of the server's certificate, and the client certificate if the server requires one. */
  NATS_TLS_CA: file.optional(),
  NATS_TLS_CERT: file.optional(),
  NATS_TLS_KEY: file.optional(),
};

export type NatsConfig = z.infer<z.ZodObject<typeof natsSettings>>;

/** Settings of a process that shares counters with its replicas. */
export const redisSettings = {
  /** URL of a Redis or Valkey shared by all replicas; if unset, each replica counts separately. */
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  /** PEM files for rediss://: the CA of the server's certificate, and the client certificate. */
  REDIS_TLS_CA: file.optional(),
  REDIS_TLS_CERT: file.optional(),
  REDIS_TLS_KEY: file.optional(),
};

export type RedisConfig = z.infer<z.ZodObject<typeof redisSettings>>;
