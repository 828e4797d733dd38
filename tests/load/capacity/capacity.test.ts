import { expect, test } from '@jest/globals';
import { simulatedHitRate } from './cache-hits.js';
import { measuredCosts } from './costs.js';
import { planOf, type Demand } from './model.js';
import { randomNumbers, zipf } from './zipf.js';

const demand: Demand = {
  redirectsPerSecond: 10_000,
  creationsPerSecond: 10,
  links: 1e6,
  exponent: 1,
  cacheEntries: 100_000,
  utilization: 0.5,
  shardCores: 8,
  shardBytes: 1e12,
  statisticsDays: 365,
  streamDays: 3,
};
const costs = {
  ...measuredCosts,
  redirectHit: 20,
  redirectMiss: 80,
  routeRead: 50,
  click: 100,
  clickWrite: 200,
  creation: 1_000,
};
const always = (hitRate: number) => async () => hitRate;

test.each([0.8, 1, 1.2])('ranks are drawn in proportion to 1 / k^%d', (exponent) => {
  const [count, visits] = [20, 200_000];
  const drawRank = zipf(count, exponent, randomNumbers(7));
  const draws = new Float64Array(count + 1);
  for (let i = 0; i < visits; i += 1) draws[drawRank()]! += 1;
  const weights = Array.from({ length: count }, (_, i) => (i + 1) ** -exponent);
  const total = weights.reduce((sum, each) => sum + each, 0);
  weights.forEach((weight, i) => expect(draws[i + 1]! / visits).toBeCloseTo(weight / total, 2));
});

test('a plan contains the replicas and cores that cache misses, clicks and creations need', async () => {
  const plan = await planOf(demand, costs, always(0.75));
  // Redirects: 10,000 x (20 + 80 / 4) µs, at a utilization of one half.
  expect(plan).toMatchObject({ redirectReplicas: 1, cacheHitRate: 0.75, statsReplicas: 2 });
  // Database: 2,500 reads and 10,000 clicks.
  expect(plan.databaseCores).toBeCloseTo((2_500 * 50 + 10_000 * 200) / 1e6 / 0.5, 6);
  expect(plan.creationCores).toBeCloseTo((10 * 1_000) / 1e6 / 0.5, 6);
});

test('solves for replicas and hit rate together, because adding replicas lowers the hit rate of each', async () => {
  const visitRates: number[] = [];
  const hitRateAt = async (perSecond: number) => {
    visitRates.push(perSecond);
    return perSecond >= 10_000 ? 1 : 0.5;
  };
  const plan = await planOf({ ...demand, redirectsPerSecond: 100_000 }, { ...costs, redirectHit: 60 }, hitRateAt);
  // With a hit rate of 1, 12 replicas are enough. But each of the 12 has only 8,333 visits per second, and therefore a
  // hit rate of one half. With that hit rate, 20 replicas are needed.
  expect(visitRates).toEqual([100_000 / 12, 5_000]);
  expect(plan.redirectReplicas).toBe(20);
});

test('storage, partitions and shards grow with the number of links and the redirects per second', async () => {
  const small = await planOf(demand, costs, always(1));
  const large = await planOf({ ...demand, redirectsPerSecond: 1e6, links: 1e9 }, costs, always(1));
  expect(large.databaseBytes).toBeGreaterThan(small.databaseBytes * 90);
  expect(large.partitions).toBe(large.statsReplicas);
  expect(large.partitions).toBeGreaterThan(small.partitions);
  expect(large.shards).toBeGreaterThan(small.shards);
  expect(large.shards).toBeGreaterThanOrEqual(Math.ceil(large.databaseBytes / demand.shardBytes));
});

test('the hit rate is lower with a smaller cache, or if entries expire between visits', async () => {
  const simulation = { links: 1_000, exponent: 1, perSecond: 1_000, cacheEntries: 1_000, visits: 40_000 };
  const hitRate = await simulatedHitRate(simulation);
  expect(hitRate).toBeGreaterThan(0.98);
  expect(await simulatedHitRate({ ...simulation, cacheEntries: 50 })).toBeLessThan(0.7);
  // A cached route expires after five minutes.
  expect(await simulatedHitRate({ ...simulation, perSecond: 10 })).toBeLessThan(hitRate - 0.05);
});
