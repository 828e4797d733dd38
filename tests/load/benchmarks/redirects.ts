import { MongoClient } from 'mongodb';
import type { Bench, Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { responseCount, getRequest, LoadGenerator, type LoadPlan, type LoadResult } from '../load.js';
import { cpuSeconds } from '../memory.js';
import { HOST, seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { median } from '../statistics.js';
import { userAgents } from '../visitors.js';

const LINKS = 10_000;
const CONNECTIONS = 64;

/**
 * Measures one process with the redirect role, relative to a bare node:http server that sends the same response
 * headers. Clicks are published to the broker during the measurement and applied afterwards, because consumers would
 * compete with the load for cores.
 */
export async function redirects(bench: Bench): Promise<Figure[]> {
  const dependencies: Dependencies = { mongodb: (await startDatabase(bench)).uri, nats: await startBus(bench) };
  const slugs = await seedThroughService(bench, dependencies, LINKS);
  const redirect = await startLinks(bench, dependencies, 'redirect', { TRUSTED_PROXIES: '127.0.0.1/32' });
  const port = redirect.ports['http']!;
  const head = await headOf(port, slugs[0]!);
  const bare = await bench.startProcess('bare-http', { HEAD: JSON.stringify(head) });
  const load = await LoadGenerator.start(bench);
  // `headOf` has visited one link.
  let sent = 1;

  const compare = async (requests: string[], rounds: number): Promise<Pair[]> => {
    // Request every link once, so that the rounds measure the cache. The first round is a warm-up.
    sent += assertOnlyRedirects(await load.run({ connections: CONNECTIONS, requests, total: LINKS, port }));
    const pairs: Pair[] = [];
    for (let i = 0; i <= rounds; i += 1) {
      const plan = { connections: CONNECTIONS, requests, first: i * 1_009, durationMs: bench.roundMs };
      const measured = await timed(load, redirect, plan);
      sent += assertOnlyRedirects(measured);
      const baseline = await timed(load, bare, plan);
      bench.say(`${Math.round(measured.perSecond)}/s, bare ${Math.round(baseline.perSecond)}/s`);
      if (i) pairs.push([measured, baseline]);
    }
    return pairs;
  };
  const direct = await compare(requestsFor(slugs), bench.rounds);
  const proxied = await compare(requestsFor(slugs, true), bench.rounds);
  await redirect.stop();
  const missed = await misses(bench, dependencies, load, slugs);
  sent += missed.sent;
  const counted = await countClicks(bench, dependencies);

  return [
    { label: 'redirects', ...compared(direct, 'perSecond'), unit: '/s', bound: { atLeast: 0.8 }, note: noteOf(direct) },
    { label: 'p50', ...compared(direct, 'p50'), unit: 'ms' },
    { label: 'p99', ...compared(direct, 'p99'), unit: 'ms', bound: { atMost: 1.25 } },
    { label: 'CPU time per request', ...compared(direct, 'cpuMicros'), unit: 'µs', bound: { atMost: 1.12 } },
    {
      label: 'redirects, behind a proxy',
      ...compared(proxied, 'perSecond'),
      unit: '/s',
      bound: { atLeast: 0.8 },
      note: `as above, every request with its visitor's address in X-Forwarded-For; ${noteOf(proxied)}`,
    },
    { label: 'CPU time per request, behind a proxy', ...compared(proxied, 'cpuMicros'), unit: 'µs' },
    missed.figure,
    {
      label: 'clicks counted afterwards',
      value: counted,
      unit: '',
      bound: { exactly: sent },
      note: 'the stats role starts after the measurement',
    },
  ];
}

/** Measures a redirect process that is behind a proxy, and can cache only one hundredth of the links. */
async function misses(bench: Bench, dependencies: Dependencies, load: LoadGenerator, slugs: string[]) {
  const env = { TRUSTED_PROXIES: '127.0.0.1/32', CACHE_MAX_ENTRIES: String(LINKS / 100) };
  const redirect = await startLinks(bench, dependencies, 'redirect', env);
  const rounds: Round[] = [];
  let sent = 0;
  for (let i = 0; i <= bench.rounds; i += 1) {
    const plan = {
      connections: CONNECTIONS,
      requests: requestsFor(slugs, true),
      first: i * 1_009,
      durationMs: bench.roundMs,
    };
    const round = await timed(load, redirect, plan);
    sent += assertOnlyRedirects(round);
    bench.say(`${Math.round(round.perSecond)}/s not in the cache`);
    if (i) rounds.push(round);
  }
  await redirect.stop();
  const medianOf = (key: 'perSecond' | 'p50' | 'cpuMicros'): number => median(rounds.map((round) => round[key]));
  const note = `p50 ${medianOf('p50').toFixed(1)} ms; CPU time per request ${medianOf('cpuMicros').toFixed(0)} µs, not counting the database`;
  const figure: Figure = {
    label: 'redirects not in the cache',
    value: medianOf('perSecond'),
    unit: '/s',
    bound: { atLeast: 12_000 },
    note,
  };
  return { figure, sent };
}

/** A round, with the server's CPU time per response in microseconds. */
type Round = LoadResult & { cpuMicros: number };
export type Pair = [measured: Round, baseline: Round];

export async function timed(
  load: LoadGenerator,
  server: Pick<Started, 'pid' | 'ports'>,
  plan: Omit<LoadPlan, 'port'>,
): Promise<Round> {
  const before = cpuSeconds(server.pid);
  const result = await load.run({ ...plan, port: server.ports['http']! });
  return { ...result, cpuMicros: ((cpuSeconds(server.pid) - before) * 1e6) / responseCount(result, 302) };
}

export const compared = (pairs: Pair[], key: 'perSecond' | 'p50' | 'p99' | 'cpuMicros', label = 'bare node:http') => ({
  value: median(pairs.map(([measured]) => measured[key])),
  baseline: { label, value: median(pairs.map(([, bare]) => bare[key])) },
  ratio: median(pairs.map(([measured, bare]) => measured[key] / bare[key])),
});

const noteOf = (pairs: Pair[]): string => {
  const share = (i: 0 | 1): number => Math.round(median(pairs.map((pair) => pair[i].ownCpu)) * 100);
  return `the load generator used ${share(0)}% of a core, and ${share(1)}% with the bare server`;
};

/** Throws if any response of a round is not a redirect. Returns the number of responses. */
export function assertOnlyRedirects(result: LoadResult): number {
  const redirected = responseCount(result, 302);
  const others = Object.keys(result.statuses).filter((status) => status !== '302');
  if (others.length) throw new Error(`not all requests were redirected: ${JSON.stringify(result.statuses)}`);
  return redirected;
}

/** Returns three requests per link, with or without a referrer; behind a proxy, each comes from a different visitor. */
export function requestsFor(slugs: string[], proxied = false): string[] {
  return Array.from({ length: slugs.length * 3 }, (_, i) =>
    getRequest(`/${slugs[(i * 7_919) % slugs.length]}`, {
      Host: HOST,
      'User-Agent': userAgents[(i * 5) % userAgents.length]!,
      Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      ...(i % 2 === 0 && { Referer: `https://news${i % 50}.example.org/today` }),
      ...(proxied && { 'X-Forwarded-For': `203.0.${(i >> 8) % 256}.${i % 256}` }),
    }),
  );
}

/** Returns the header fields of a redirect, without those that `node:http` adds to the responses of the bare server. */
async function headOf(port: number, slug: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/${slug}`, {
    redirect: 'manual',
    headers: { 'user-agent': userAgents[0]! },
  });
  if (response.status !== 302) throw new Error(`the first link responded with ${response.status}`);
  const addedByNode = new Set(['date', 'connection', 'keep-alive']);
  return [...response.headers].filter(([name]) => !addedByNode.has(name)).flat();
}

/** Starts the stats role to apply the published clicks. Returns the sum of the links' counts once it stays the same. */
async function countClicks(bench: Bench, dependencies: Dependencies): Promise<number> {
  const stats = await startLinks(bench, dependencies, 'stats');
  const client = new MongoClient(dependencies.mongodb);
  const sum = async (): Promise<number> => {
    const clicks = { $group: { _id: null, clicks: { $sum: '$clickCount' } } };
    const [total] = await client.db('tautan_links').collection('links').aggregate([clicks]).toArray();
    return (total?.['clicks'] as number | undefined) ?? 0;
  };
  try {
    // Wait while the sum changes, and a while longer to detect clicks that are counted twice.
    let counted = -1;
    for (let unchanged = 0; unchanged < 4;) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const now = await sum();
      unchanged = now === counted ? unchanged + 1 : 0;
      counted = now;
    }
    return counted;
  } finally {
    await client.close();
    await stats.stop();
  }
}
