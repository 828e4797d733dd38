import type { Bench } from '../bench.js';
import type { Figure } from '../figure.js';
import { getRequest, LoadGenerator } from '../load.js';
import { residentMb, watchMemory } from '../memory.js';
import { HOST, seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { userAgents } from '../visitors.js';

const LINKS = 100_000;

/** Measures the memory of a redirect process with a hundred thousand links in its cache. */
export async function cacheMemory(bench: Bench): Promise<Figure[]> {
  const dependencies: Dependencies = { mongodb: (await startDatabase(bench)).uri, nats: await startBus(bench) };
  bench.say(`seeding ${LINKS.toLocaleString('en')} links`);
  const slugs = await seedThroughService(bench, dependencies, LINKS);
  const redirect = await startLinks(bench, dependencies, 'redirect');
  const empty = residentMb(redirect.pid);
  const load = await LoadGenerator.start(bench);
  const requests = slugs.map((slug, i) =>
    getRequest(`/${slug}`, { Host: HOST, 'User-Agent': userAgents[i % userAgents.length]! }),
  );
  const plan = { port: redirect.ports['http']!, connections: 64, requests, total: LINKS };
  const stopWatching = watchMemory([redirect.pid]);
  const filling = await load.run(plan);
  const before = await cacheHits(redirect.ports['admin']!);
  const again = await load.run(plan);
  const after = await cacheHits(redirect.ports['admin']!);
  const [peak] = stopWatching();
  if (filling.statuses[302] !== LINKS || again.statuses[302] !== LINKS)
    throw new Error('not all requests were redirected');
  return [
    { label: 'links found in the cache', value: after - before, unit: '', bound: { exactly: LINKS } },
    {
      label: 'resident memory, 100,000 cached links',
      value: peak!,
      unit: 'MB',
      bound: { atMost: 250 },
      note: `peak while all links were requested twice; ${Math.round(empty)} MB with an empty cache`,
    },
    { label: 'redirects while the cache fills', value: filling.perSecond, unit: '/s' },
  ];
}

/** Returns the number of cache hits of the process. */
async function cacheHits(adminPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(/^tautan_redirect_cache_lookups_total\{[^}]*result="hit"[^}]*\} (\S+)$/m.exec(text)?.[1]);
}
