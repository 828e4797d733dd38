import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { streams } from '@tautan/proto';
import type { ConnectionOptions } from './connection-options.js';
import { sleep } from '../async/time.js';

const DUPLICATE_WINDOW_MS = 10 * 60_000;
const API_TIMEOUT_MS = 2_000;

/**
 * Returns the JetStream API without checking that it is enabled, because only the cluster leader responds to that
 * check.
 */
const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { timeout: API_TIMEOUT_MS, checkAPI: false });

interface DeclaredStream {
  name: string;
  subjects: string[];
  max_age: number;
  duplicate_window: number;
  discard: DiscardPolicy;
}

const declared: DeclaredStream[] = Object.values(streams).map(({ name, subjects, maxAgeMs }) => ({
  name,
  subjects: [...subjects],
  max_age: nanos(maxAgeMs),
  duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  discard: DiscardPolicy.New,
}));

/**
 * Creates missing streams, and updates streams whose configuration is outdated. Replicas are only ever added, so that a
 * process configured with fewer does not remove them. Durable consumers have as many replicas as their stream.
 */
export async function ensureStreams(connection: NatsConnection, replicas: number): Promise<void> {
  const manager = await managerOf(connection);
  for (const config of declared) await ensureStream(manager, config, replicas);
}

/**
 * Calls `ensureStreams` and waits until all replicas of the streams and their consumers are current. Throws if this
 * takes longer than `withinMs`. Returns the number of replicas of each stream.
 */
export async function migrateStreams(
  { url, replicas = 1, ...identity }: ConnectionOptions,
  withinMs: number,
): Promise<{ name: string; replicas: number }[]> {
  const connection = await connect({ ...identity, servers: url.split(','), name: 'migrate', timeout: withinMs });
  try {
    const manager = await managerOf(connection);
    const deadline = performance.now() + withinMs;
    for (;;) {
      const behind = await ensureStreams(connection, replicas)
        .then(() => laggingReplicas(manager))
        .catch((error: unknown) => [String(error)]);
      if (behind.length === 0) break;
      if (performance.now() > deadline)
        throw new Error(`NATS_REPLICAS: not every copy is current after ${withinMs / 1_000} s: ${behind.join(', ')}.`);
      await sleep(250);
    }
    const infos = await Promise.all(declared.map(({ name }) => manager.streams.info(name)));
    return infos.map(({ config: { name, num_replicas } }) => ({ name, replicas: num_replicas }));
  } finally {
    await connection.close();
  }
}

async function ensureStream(manager: JetStreamManager, config: DeclaredStream, replicas: number): Promise<void> {
  const existing = await infoOf(manager, config.name);
  if (!existing) {
    const policies = { retention: RetentionPolicy.Limits, storage: StorageType.File };
    await manager.streams.add({ ...config, ...policies, num_replicas: replicas });
  } else if (!isUpToDate(existing, config, replicas)) {
    const num_replicas = Math.max(existing.config.num_replicas, replicas);
    await manager.streams.update(config.name, { ...config, num_replicas });
  }
}

function isUpToDate({ config: existing }: StreamInfo, config: DeclaredStream, replicas: number): boolean {
  const { subjects, ...values } = config;
  return (
    existing.num_replicas >= replicas &&
    existing.subjects.join() === subjects.join() &&
    Object.entries(values).every(([name, value]) => existing[name as keyof typeof existing] === value)
  );
}

async function infoOf(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined;
    throw error;
  }
}

/** Returns the streams and consumers with a missing or lagging replica. */
async function laggingReplicas(manager: JetStreamManager): Promise<string[]> {
  const behind: string[] = [];
  for (const { name } of declared) {
    const { cluster, config } = await manager.streams.info(name);
    const isReplicated = (group: typeof cluster): boolean =>
      config.num_replicas === 1 ||
      (!!group?.leader && group.replicas?.filter(({ current }) => current).length === config.num_replicas - 1);
    if (!isReplicated(cluster)) behind.push(`stream ${name}`);
    for await (const consumer of manager.consumers.list(name)) {
      if (!isReplicated(consumer.cluster)) behind.push(`consumer ${consumer.name}`);
    }
  }
  return behind;
}
