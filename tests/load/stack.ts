import { startStack, type Quickstart, type Stack } from '../support/stack.js';
import type { Bench } from './bench.js';

/** Starts the whole product for a benchmark, without plan limits or rate limits. Stops it when the benchmark ends. */
export async function benchStack(bench: Bench, env: Record<string, string> = {}): Promise<Stack> {
  const NODE_OPTIONS = bench.nodeOptions.join(' ');
  // A profile tells packages apart by the paths of their modules, which a bundle lacks.
  const program = bench.nodeOptions.length > 0 ? { program: 'deploy/local/dist/main.js' } : {};
  const stack = await startStack({ ...program, env: { LOG_LEVEL: 'error', NODE_OPTIONS, ...bench.nodeEnv, ...env } });
  bench.atEnd(() => stack.stop());
  return stack;
}

/** Returns a process of the stack. Throws if none has this name. */
export function serviceNamed({ services }: Quickstart, name: string): Quickstart['services'][number] {
  const found = services.find((service) => service.name === name);
  if (!found) throw new Error(`Unknown process: ${name}. Processes: ${services.map((it) => it.name).join(', ')}`);
  return found;
}
