import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, freePort } from '@tautan/kit/testing';
import type { Bench, Started } from '../bench.js';
import type { Figure } from '../figure.js';
import { LoadGenerator } from '../load.js';
import { seedThroughService, startLinks, type Dependencies } from '../seed.js';
import { startBus, startDatabase } from '../servers.js';
import { compared, assertOnlyRedirects, requestsFor, timed, type Pair } from './redirects.js';

const LINKS = 10_000;
const CONNECTIONS = 64;

/**
 * Compares one redirect process with one nginx process that has the same slugs in a `map`, all with one destination,
 * and writes an access log. A company could run nginx instead if it counted the clicks in the log, and reloaded nginx
 * to change links. Requires `nginx`.
 */
export async function nginx(bench: Bench): Promise<Figure[]> {
  if (spawnSync('nginx', ['-v']).error) throw new Error('nginx is not installed');
  const dependencies: Dependencies = { mongodb: (await startDatabase(bench)).uri, nats: await startBus(bench) };
  const slugs = await seedThroughService(bench, dependencies, LINKS);
  const redirect = await startLinks(bench, dependencies, 'redirect');
  const server = await startNginx(bench, slugs);
  const load = await LoadGenerator.start(bench);
  const requests = requestsFor(slugs);
  const pairs: Pair[] = [];
  for (let i = 0; i <= bench.rounds; i += 1) {
    const plan = { connections: CONNECTIONS, requests, first: i * 1_009, durationMs: bench.roundMs };
    const pair: Pair = [await timed(load, redirect, plan), await timed(load, server, plan)];
    pair.forEach(assertOnlyRedirects);
    bench.say(`${Math.round(pair[0].perSecond)}/s, nginx ${Math.round(pair[1].perSecond)}/s`);
    if (i) pairs.push(pair);
  }
  return [
    { label: 'redirects', ...compared(pairs, 'perSecond', 'nginx'), unit: '/s' },
    { label: 'p99', ...compared(pairs, 'p99', 'nginx'), unit: 'ms' },
    { label: 'CPU time per request', ...compared(pairs, 'cpuMicros', 'nginx'), unit: 'µs' },
  ];
}

async function startNginx(bench: Bench, slugs: string[]): Promise<Pick<Started, 'pid' | 'ports'>> {
  const [folder, port] = [await bench.folder(), await freePort()];
  const map = slugs.map((slug) => `/${slug} https://www.example.com/;`);
  await writeFile(join(folder, 'redirects.map'), map.join('\n'));
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
master_process off;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log access.log combined;
  map_hash_max_size 65536;
  map $uri $target { include redirects.map; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / {
      if ($target = "") { return 404; }
      return 302 $target;
    }
  }
}
`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'inherit' });
  const exit = once(child, 'exit');
  bench.atEnd(async () => {
    child.kill();
    await exit;
  });
  await eventually(() => fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' }));
  return { pid: child.pid!, ports: { http: port } };
}
