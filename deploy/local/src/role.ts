import { endStartPhase } from './start-phase.js';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess, type Running } from '@tautan/kit/process';
import { answerPings } from './liveness-check.js';
import { acquireProcessLock } from '@tautan/append-log';
import type { RoleName } from './roles.js';

/** Maximum time in ms to wait for an earlier process of this role, still draining after its supervisor was killed. */
const PREDECESSOR_MS = 20_000;

type Start = (env: NodeJS.ProcessEnv) => Promise<Running>;

/** Loads only the code of the given role. */
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
  // Exit if the supervisor exits before the role starts.
  const orphaned = (): never => process.exit(0);
  process.on('disconnect', orphaned);
  // Load the code before waiting for the lock, while a predecessor drains.
  const start = await roles[role]();
  const lock = await acquireProcessLock(join(folder, `${name}.lock`), PREDECESSOR_MS);
  process.off('disconnect', orphaned);
  if (!lock) throw new Error('Another process is still using this data folder.');
  return start(process.env);
}

// Usage: node role.js <role> [<replica name>], with settings in the environment.
const role = process.argv[2] as RoleName;
const name = process.argv[3] ?? role;
answerPings();
await runProcess(name, () => startRole(role, name));
endStartPhase();
