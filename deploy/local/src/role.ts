import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess, type Running } from '@tautan/kit';
import { takeLock } from './lock.js';
import type { RoleName } from './roles.js';

/** How long a predecessor, orphaned by a killed supervisor, may take to drain. */
const PREDECESSOR_MS = 20_000;

/** Each role loads no more than it runs. */
const roles: Record<RoleName, () => Promise<Running>> = {
  engine: async () => (await import('./roles/engine.js')).start(process.env),
  broker: async () => (await import('./roles/broker.js')).start(process.env),
  redirect: async () => {
    const { readLinksConfig, start } = await import('@tautan/links');
    return start(readLinksConfig(process.env));
  },
  gateway: async () => {
    const { readGatewayConfig, start } = await import('@tautan/gateway');
    return start(readGatewayConfig(process.env));
  },
  services: async () => (await import('./roles/services.js')).start(process.env),
};

async function startRole(name: RoleName): Promise<Running> {
  const folder = join(process.env['STACK_DATA_DIR']!, 'run');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Nobody is left to run for.
  const orphaned = (): never => process.exit(0);
  process.on('disconnect', orphaned);
  const lock = await takeLock(join(folder, `${name}.lock`), PREDECESSOR_MS);
  process.off('disconnect', orphaned);
  if (!lock) throw new Error('Another process of this data folder still runs.');
  return roles[name]();
}

// A child of the stack: `node role.js <role>`, its settings in the environment.
const name = process.argv[2] as RoleName;
await runProcess(name, () => startRole(name));
