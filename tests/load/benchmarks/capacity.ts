import type { Bench, Started } from '../bench.js';
import { simulatedHitRate } from '../capacity/cache-hits.js';
import { measuredCosts } from '../capacity/costs.js';
import { redirectMicros } from '../capacity/model.js';
import { randomNumbers, zipf } from '../capacity/zipf.js';
import type { Figure } from '../figure.js';
import { responseCount, getRequest, LoadGenerator } from '../load.js';
import { cpuSeconds } from '../memory.js';
import { HOST, seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase, type Database } from '../servers.js';
import { userAgents } from '../visitors.js';

const LINKS = 20_000;
const CACHE_ENTRIES = 2_000;
const EXPONENT = 1;
const CONNECTIONS = 16;
/** Links that stay in the cache while every second visit goes to another link. */
const HOT_LINKS = CACHE_ENTRIES / 4;

/** Compares a prediction of the capacity model with a run of one redirect process that has a small cache. */
export async function capacity(bench: Bench): Promise<Figure[]> {
  const database = await startDatabase(bench);
  const dependencies: Dependencies = { mongodb: database.uri, nats: await startBus(bench) };
  bench.say(`seeding ${LINKS.toLocaleString('en')} links`);
  const slugs = await seedThroughService(bench, dependencies, LINKS);
  const redirect = await startLinks(bench, dependencies, 'redirect', { CACHE_MAX_ENTRIES: String(CACHE_ENTRIES) });
  const load = await LoadGenerator.start(bench);
  const total = bench.quick ? 40_000 : 150_000;
  const run = (visited: string[]) => measure(load, { redirect, database }, visited, total);

  // Visit only cached links, then cached and uncached links alternately, then links drawn from a Zipf distribution. If
  // all visits were misses, one read would fetch many routes, and a miss would cost much less than in a mixture.
  const hot = slugs.slice(0, HOT_LINKS);
  await run(hot);
  const hit = await run(hot);
  const mixed = await run(slugs.slice(HOT_LINKS).flatMap((cold, i) => [hot[i % HOT_LINKS]!, cold]));
  const misses = 1 - mixed.hitRate;
  const missMicros = (mixed.micros - hit.micros) / misses;
  const drawRank = zipf(LINKS, EXPONENT, randomNumbers(2));
  const visits = Array.from({ length: total }, () => slugs[drawRank() - 1]!);
  const real = await run(visits);

  const perSecond = real.perSecond;
  const hitRate = await simulatedHitRate({
    links: LINKS,
    exponent: EXPONENT,
    perSecond,
    cacheEntries: CACHE_ENTRIES,
    visits: 2 * total,
  });
  const costs = { ...measuredCosts, redirectHit: hit.micros, redirectMiss: missMicros };
  const predicted = redirectMicros(costs, hitRate);
  return [
    {
      label: 'cache hit rate',
      value: real.hitRate * 100,
      unit: '%',
      baseline: { label: 'predicted', value: hitRate * 100 },
      bound: { atLeast: 0.97 },
    },
    {
      label: 'CPU time of a redirect',
      value: real.micros,
      unit: 'µs',
      baseline: { label: 'predicted', value: predicted },
      bound: { atMost: 1.25 },
    },
    {
      label: 'CPU time of a cache hit',
      value: hit.micros,
      unit: 'µs',
      note: `${(hit.hitRate * 100).toFixed(1)}% were hits`,
    },
    {
      label: 'additional CPU time of a cache miss',
      value: missMicros,
      unit: 'µs',
      note: `measured with ${(misses * 100).toFixed(1)}% misses; the database takes ${(mixed.databaseMicros / misses).toFixed(0)} µs per miss`,
    },
  ];
}

/** Visits links in turn. Returns the cache hit rate and the CPU time per request. */
async function measure(
  load: LoadGenerator,
  { redirect, database }: { redirect: Started; database: Database },
  slugs: string[],
  total: number,
) {
  const requests = slugs.map((slug, i) =>
    getRequest(`/${slug}`, { Host: HOST, 'User-Agent': userAgents[i % userAgents.length]! }),
  );
  const pids = [redirect.pid, database.process?.pid ?? 0];
  const before = { cpu: pids.map(cpuSeconds), ...(await lookups(redirect)) };
  const result = await load.run({ port: redirect.ports['http']!, connections: CONNECTIONS, requests, total });
  if (responseCount(result, 302) !== total)
    throw new Error(`not all requests were redirected: ${JSON.stringify(result.statuses)}`);
  const after = await lookups(redirect);
  const [micros, databaseMicros] = pids.map((pid, i) => ((cpuSeconds(pid) - before.cpu[i]!) * 1e6) / total);
  const hit = after.hit - before.hit;
  return {
    hitRate: hit / (hit + after.miss - before.miss),
    perSecond: result.perSecond,
    micros: micros!,
    databaseMicros: databaseMicros!,
  };
}

/** Returns the numbers of cache hits and misses of a process so far. */
async function lookups({ ports }: Started): Promise<{ hit: number; miss: number }> {
  const text = await (await fetch(`http://127.0.0.1:${ports['admin']}/metrics`)).text();
  const count = (result: string) =>
    Number(
      new RegExp(`^tautan_redirect_cache_lookups_total\\{[^}]*result="${result}"[^}]*\\} (\\S+)$`, 'm').exec(
        text,
      )?.[1] ?? 0,
    );
  return { hit: count('hit'), miss: count('miss') };
}
