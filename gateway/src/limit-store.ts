import { readFileSync } from 'node:fs';
import {
  Counter,
  Gauge,
  MemoryLimiter,
  meterConnection,
  type Log,
  type RedisConfig,
  type Registry,
  type LimitState,
  type Window,
} from '@tautan/kit';
import type { RedisOptions } from 'ioredis';
import { redisLimiter, type Limiter } from './sliding-window.js';

/** The store of rate limits. */
export interface LimitStore {
  limiter(keyPrefix: string, window: Window): Limiter;
  /** Whether the shared store is connected, if one is configured. */
  connections: { redis?: () => boolean };
  /** Whether limits are enforced as configured: across all replicas if a shared store is set. */
  works(): boolean;
  close(): void;
}

export interface LimitStoreOptions {
  /** Settings of the shared Redis or Valkey; without REDIS_URL, each replica counts separately. */
  redis: RedisConfig;
  registry: Registry;
  log: Log;
}

const CONNECT_MS = 2_000;
/** Timeout of a command to the shared store; after that, the request is counted by this process. */
const COMMAND_MS = 100;
/** Time after a failure of the shared store during which it is not used. */
const PAUSE_MS = 1_000;
const MAX_RECONNECT_MS = 2_000;

/**
 * Opens the store of rate limits. Does not wait for the shared store: while the shared store is unavailable, each
 * replica counts separately.
 */
export async function openLimitStore({ redis, registry, log }: LimitStoreOptions): Promise<LimitStore> {
  const shared = new Gauge({
    name: 'tautan_rate_limits_shared',
    help: 'Whether rate limits are enforced across all replicas (1) or by this process alone (0)',
    registers: [registry],
  });
  shared.set(0);
  if (redis.REDIS_URL === undefined) {
    log.info('REDIS_URL is not set: each replica enforces rate limits separately');
    const limiter = (_keyPrefix: string, window: Window) => new MemoryLimiter(window);
    return { limiter, connections: {}, works: () => true, close: () => undefined };
  }
  const failures = new Counter({
    name: 'tautan_rate_limit_store_failures_total',
    help: 'Calls to the rate limiter that used the counters of this replica alone, because the shared store failed',
    registers: [registry],
  });
  const meter = meterConnection(registry, 'redis');
  let wasConnected = false;
  const watch = new StoreWatch((works, error) => {
    shared.set(works ? 1 : 0);
    meter(works);
    if (works) log[wasConnected ? 'warn' : 'info']('rate limits are counted across all replicas');
    else log.warn({ err: error }, 'the shared store of rate limits failed: each replica counts separately');
    wasConnected ||= works;
  });
  // Imported only if configured: installations on one machine rarely need it.
  const { Redis } = await import('ioredis');
  const client = new Redis(redis.REDIS_URL, {
    connectionName: 'tautan-gateway',
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => Math.min(100 * tries, MAX_RECONNECT_MS),
    ...tlsOf(redis, log),
  });
  client.on('ready', () => watch.succeeded());
  client.on('error', (error: unknown) => watch.failed(error));
  return {
    limiter: (keyPrefix, window) => {
      const sharedLimiter = redisLimiter(client, `tautan:limit:${keyPrefix}`, window);
      return new SharedLimiter(sharedLimiter, new MemoryLimiter(window), watch, () => failures.inc());
    },
    connections: { redis: () => client.status === 'ready' },
    works: () => watch.works,
    close: () => client.disconnect(),
  };
}

/**
 * Returns the TLS options for rediss://. A configured certificate authority replaces those of Node.js. ioredis reads
 * the options again for each connection, so that a new connection uses the current content of the files. Throws if a
 * file cannot be read at start.
 */
function tlsOf({ REDIS_TLS_CA, REDIS_TLS_CERT, REDIS_TLS_KEY }: RedisConfig, log: Log): Pick<RedisOptions, 'tls'> {
  const paths = Object.entries({ ca: REDIS_TLS_CA, cert: REDIS_TLS_CERT, key: REDIS_TLS_KEY });
  const configured = paths.flatMap(([option, path]) => (path ? [[option, path] as const] : []));
  if (configured.length === 0) return {};
  const tls = {};
  for (const [option, path] of configured)
    Object.defineProperty(tls, option, { enumerable: true, get: rereadFile(path, log) });
  return { tls };
}

/**
 * Returns a function that returns the current content of a file, or the content last read if the file cannot be read.
 */
function rereadFile(path: string, log: Log): () => Buffer {
  let content = readFileSync(path);
  return () => {
    try {
      content = readFileSync(path);
    } catch (err) {
      log.warn({ err, path }, 'a file cannot be read again: its last content is used');
    }
    return content;
  };
}

/** Tracks whether the shared store works, and calls `onChange` when that changes. */
class StoreWatch {
  #works: boolean | undefined;
  #pausedUntil = 0;

  constructor(private readonly onChange: (works: boolean, error?: unknown) => void) {}

  get works(): boolean {
    return this.#works === true;
  }

  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  succeeded(): void {
    if (this.#works === true) return;
    this.#works = true;
    this.#pausedUntil = 0;
    this.onChange(true);
  }

  failed(error: unknown): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (this.#works === false) return;
    this.#works = false;
    this.onChange(false, error);
  }
}

/** Counts in the shared store, or in this process while the store fails, so that no request fails because of it. */
class SharedLimiter implements Limiter {
  constructor(
    private readonly shared: Limiter,
    private readonly own: Limiter,
    private readonly watch: StoreWatch,
    private readonly onFailure: () => void,
  ) {}

  consume = (key: string, cost = 1): Promise<LimitState> => this.#run((limiter) => limiter.consume(key, cost));
  charge = (key: string, cost: number): Promise<LimitState> => this.#run((limiter) => limiter.charge(key, cost));
  read = (key: string): Promise<LimitState> => this.#run((limiter) => limiter.read(key));

  async #run(operation: (limiter: Limiter) => LimitState | Promise<LimitState>): Promise<LimitState> {
    if (!this.watch.isPaused) {
      try {
        const state = await operation(this.shared);
        this.watch.succeeded();
        return state;
      } catch (error) {
        this.watch.failed(error);
      }
    }
    this.onFailure();
    return operation(this.own);
  }
}
