import { CLICK_PARTITIONS } from '@tautan/proto';
import type { Costs } from './costs.js';

export interface Demand {
  redirectsPerSecond: number;
  creationsPerSecond: number;
  links: number;
  /** Exponent of the Zipf distribution of the visits. */
  exponent: number;
  /** `CACHE_MAX_ENTRIES` of each redirect process. */
  cacheEntries: number;
  /** Target CPU utilization, 0 to 1. */
  utilization: number;
  /** Cores of the primary of one shard, and capacity of one shard in bytes. */
  shardCores: number;
  shardBytes: number;
  /** Retention of statistics and of the click stream, in days. */
  statisticsDays: number;
  streamDays: number;
}

export interface Plan {
  redirectReplicas: number;
  cacheHitRate: number;
  /** Memory of each redirect replica, in bytes. */
  redirectMemory: number;
  statsReplicas: number;
  /** Memory of each stats replica, in bytes. */
  statsMemory: number;
  /** Cores that all processes together, including the database, need to create links. */
  creationCores: number;
  partitions: number;
  shards: number;
  /** Cores of the primaries of all shards together. Link creation is not included; see `creationCores`. */
  databaseCores: number;
  databaseBytes: number;
  streamBytes: number;
}

const DAY_S = 86_400;
const MICROS = 1e6;
/** Maximum number of iterations. */
const ROUNDS = 4;

/** Returns the cache hit rate (0 to 1) of a process with this number of visits per second. */
export type HitRateAt = (perSecond: number) => Promise<number>;

/** Returns the CPU time of the redirect process for one redirect, in microseconds. */
export const redirectMicros = (costs: Costs, hitRate: number): number =>
  costs.redirectHit + (1 - hitRate) * costs.redirectMiss;

/**
 * Returns the resources that a demand needs. The hit rate and the number of replicas depend on each other, so both are
 * computed iteratively.
 */
export async function planOf(demand: Demand, costs: Costs, hitRateAt: HitRateAt): Promise<Plan> {
  const { redirectsPerSecond, creationsPerSecond, utilization } = demand;
  const replicasFor = (micros: number, perSecond: number): number =>
    Math.max(1, Math.ceil((perSecond * micros) / MICROS / utilization));
  let [redirectReplicas, cacheHitRate] = [replicasFor(costs.redirectHit, redirectsPerSecond), 1];
  for (let round = 0; round < ROUNDS; round += 1) {
    cacheHitRate = await hitRateAt(redirectsPerSecond / redirectReplicas);
    const needed = replicasFor(redirectMicros(costs, cacheHitRate), redirectsPerSecond);
    if (needed === redirectReplicas) break;
    redirectReplicas = needed;
  }
  const misses = redirectsPerSecond * (1 - cacheHitRate);
  const databaseMicros = misses * costs.routeRead + redirectsPerSecond * costs.clickWrite;
  const databaseCores = databaseMicros / MICROS / utilization;
  const databaseBytes =
    demand.links * costs.link + redirectsPerSecond * DAY_S * demand.statisticsDays * costs.clickStored;
  const statsReplicas = replicasFor(costs.click, redirectsPerSecond);
  return {
    redirectReplicas,
    cacheHitRate,
    redirectMemory: costs.redirectProcess + demand.cacheEntries * costs.cachedRoute,
    statsReplicas,
    statsMemory: costs.statsProcess,
    creationCores: (creationsPerSecond * costs.creation) / MICROS / utilization,
    // Replicas that apply clicks of the same partition at the same time change the same documents and conflict.
    partitions: Math.max(CLICK_PARTITIONS, statsReplicas),
    shards: Math.max(1, Math.ceil(databaseCores / demand.shardCores), Math.ceil(databaseBytes / demand.shardBytes)),
    databaseCores,
    databaseBytes,
    streamBytes: redirectsPerSecond * DAY_S * demand.streamDays * costs.clickMessage,
  };
}
