import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tautan/kit/testing';
import { release, type Cluster, type Ingress, type Service } from './cluster.js';

/** nginx in front of the cluster's Services, configured like an ingress controller. */
export interface Front {
  stop(): Promise<void>;
}

/**
 * Starts nginx on a loopback port, with the hosts and paths of the release's Ingress. Runs only on a node of the
 * cluster.
 */
export async function startFront(cluster: Cluster, port: number): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-front-'));
  const { spec } = await cluster.get<Ingress>('ingresses', release);
  const servers = await Promise.all(spec.rules.map((rule) => serverOf(cluster, rule, port)));
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, servers));
  const nginx = spawn('nginx', ['-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(nginx, 'exit');
  await eventually(() => {
    if (nginx.exitCode !== null) throw Object.assign(new Error(`nginx exited with ${nginx.exitCode}`), { final: true });
    return reachable(port);
  }, 10_000);
  return {
    stop: async () => {
      nginx.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the server block of an Ingress rule. A path of type Prefix matches whole path segments. */
async function serverOf(
  cluster: Cluster,
  { host, http }: Ingress['spec']['rules'][number],
  port: number,
): Promise<string> {
  const locations = http.paths.map(async ({ path, pathType, backend: { service } }) => {
    if (pathType !== 'Prefix') throw new Error(`unsupported path type: ${pathType}`);
    const { clusterIP, ports } = (await cluster.get<Service>('services', service.name)).spec;
    const to = `proxy_pass http://${clusterIP}:${ports.find(({ name }) => name === service.port.name)!.port};`;
    return path === '/' ? `location / { ${to} }` : `location = ${path} { ${to} } location ${path}/ { ${to} }`;
  });
  const name = host === undefined ? '' : `server_name ${host};`;
  return `server { listen 127.0.0.1:${port}; ${name} ${(await Promise.all(locations)).join('\n')} }`;
}

const configuration = (folder: string, servers: string[]): string => `
daemon off;
error_log stderr error;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_max_body_size 20m;
  merge_slashes off;
  keepalive_requests 100000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
  ${servers.join('\n  ')}
}
`;

function reachable(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    }).once('error', reject);
  });
}
