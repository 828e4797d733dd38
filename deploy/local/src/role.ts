import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess, type Running } from '@tautan/kit';
import { answerPings } from './liveness-check.js';
import { takeLock } from './lock.js';
import type { RoleName } from './roles.js';

/** How long a predecessor, orphaned by a killed supervisor, may take to drain. */
const PREDECESSOR_MS = 20_000;

type Start = (env: NodeJS.ProcessEnv) => Promise<Running>;

/** Loads a role's code: each loads no more than it runs. */
const roles: Record<RoleName, () => Promise<Start>> = {
  engine: async () => (await import('./roles/engine.js')).start,
  broker: async () => (await import('./roles/broker.js')).start,
  redirect: async () => {
    const { readLinksConfig, start } = await import('@tautan/links');
    return (env) => start(readLinksConfig(env));
  },
  gateway: async () => {
    const { readGatewayConfig, start } = await import('@tautan/gateway');
    return (env) => start(readGatewayConfig(env));
  },
  services: async () => (await import('./roles/services.js')).start,
};

async function startRole(role: RoleName, name: string): Promise<Running> {
  const folder = join(process.env['STACK_DATA_DIR']!, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Nobody is left to run for.
  const orphaned = (): never => process.exit(0);
  process.on('disconnect', orphaned);
  // Before the lock is waited for: a predecessor drains meanwhile.
  const start = await roles[role]();
  const lock = await takeLock(join(folder, `${name}.lock`), PREDECESSOR_MS);
  process.off('disconnect', orphaned);
  if (!lock) throw new Error('Another process of this data folder still runs.');
  return start(process.env);
}

// A child of the stack: `node role.js <role> [<name of the replica>]`, its settings in the environment.
const role = process.argv[2] as RoleName;
const name = process.argv[3] ?? role;
answerPings();
await runProcess(name, () => startRole(role, name));
