import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { eventually, freePort } from '@tautan/kit/testing';
import { Redis } from 'ioredis';

/** The Redis server program: REDIS_SERVER, or the one on PATH. */
const program = process.env['REDIS_SERVER'] ?? 'redis-server';

/** Whether to run tests with Redis: true if REDIS_SERVER is set or the program on PATH works. */
export const hasRedis = process.env['REDIS_SERVER'] !== undefined || works(program);

function works(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Paths of the PEM files of a TLS server. The server requires client certificates that are signed by `ca`. */
export interface RedisTls {
  ca: string;
  cert: string;
  key: string;
}

/** Starts a Redis server without persistence, by default on a free port. Resolves when it responds. */
export async function startRedis(port?: number, tls?: RedisTls) {
  const listenPort = port ?? (await freePort());
  const listening = tls
    ? [
        '--port',
        '0',
        '--tls-port',
        `${listenPort}`,
        '--tls-ca-cert-file',
        tls.ca,
        '--tls-cert-file',
        tls.cert,
        '--tls-key-file',
        tls.key,
      ]
    : ['--port', `${listenPort}`];
  const child = spawn(program, [...listening, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
  const url = `${tls ? 'rediss' : 'redis'}://127.0.0.1:${listenPort}/0`;
  const tlsOptions = tls && {
    tls: { ca: readFileSync(tls.ca), cert: readFileSync(tls.cert), key: readFileSync(tls.key) },
  };
  const client = new Redis(url, { ...tlsOptions, lazyConnect: true, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  await eventually(() => client.ping());
  client.disconnect();
  return {
    url,
    port: listenPort,
    process: child,
    /** Kills the process if it is running. */
    stop: async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
