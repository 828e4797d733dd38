import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from './stack.js';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Replica {
  http: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** One more redirect process beside those of a running stack, on the same database and bus. */
export async function startRedirectReplica(stack: Stack, spillDir: string): Promise<Replica> {
  const { mongodb, nats } = await stack.quickstart();
  const child = fork('services/links/dist/main.js', [], {
    cwd: root,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      ROLES: 'redirect',
      LOG_LEVEL: 'warn',
      BIND_HOST: '127.0.0.1',
      REDIRECT_PORT: '0',
      ADMIN_PORT: '0',
      BASE_URL: stack.baseUrl,
      MONGODB_URI: mongodb.uri,
      NATS_URL: nats.url,
      SPILL_DIR: spillDir,
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  });
  const addresses = await new Promise<Record<string, number>>((resolve, reject) => {
    child.once('message', (message: { addresses: Record<string, number> }) => resolve(message.addresses));
    child.once('exit', (code) => reject(new Error(`the replica ended with ${code}`)));
  });
  return {
    http: `http://127.0.0.1:${addresses['http']}`,
    process: child,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
