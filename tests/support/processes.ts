import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { liftedLimits, type Stack } from './stack.js';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Replica {
  http: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts another redirect process for a running stack, with the same database and bus. */
export async function startRedirectReplica(
  stack: Stack,
  spillDir: string,
  settings: Record<string, string> = {},
): Promise<Replica> {
  const { mongodb } = await stack.quickstart();
  return start(stack, 'services/links/dist/main.js', {
    ROLES: 'redirect',
    REDIRECT_PORT: '0',
    MONGODB_URI: mongodb.uri,
    MONGODB_DATABASE: `${stack.databasePrefix}tautan_links`,
    SPILL_DIR: spillDir,
    ...settings,
  });
}

/**
 * Starts another gateway for a running stack, with the same bus and the same services `links` and `workspaces`, and no
 * other services.
 */
export async function startGatewayReplica(stack: Stack, settings: Record<string, string> = {}): Promise<Replica> {
  const { services } = await stack.quickstart();
  const grpcOf = (name: string): string => services.find((each) => each.name === name)!.grpc!;
  return start(stack, 'gateway/dist/main.js', {
    GATEWAY_PORT: '0',
    LINKS_ADDRESS: grpcOf('links'),
    WORKSPACES_ADDRESS: grpcOf('workspaces'),
    ...liftedLimits,
    ...settings,
  });
}

async function start(stack: Stack, entry: string, env: Record<string, string>): Promise<Replica> {
  const { nats } = await stack.quickstart();
  const child = fork(entry, [], {
    cwd: root,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      LOG_LEVEL: 'warn',
      BIND_HOST: '127.0.0.1',
      ADMIN_PORT: '0',
      OPERATOR_PORT: '0',
      BASE_URL: stack.baseUrl,
      NATS_URL: nats.url,
      TRUSTED_PROXIES: '127.0.0.1/32',
      ...env,
    },
  });
  const ports = await new Promise<Record<string, number>>((resolve, reject) => {
    child.once('message', (message: { ports: Record<string, number> }) => resolve(message.ports));
    child.once('exit', (code) => reject(new Error(`the replica exited with ${code}`)));
  });
  return {
    http: `http://127.0.0.1:${ports['http']}`,
    process: child,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        if (!child.kill('SIGTERM')) resolve();
      }),
  };
}
