import { startStack, type Quickstart, type Stack } from '../support/stack.js';
import type { Bench } from './bench.js';

/** Starts the whole product for a benchmark, rate limits lifted; it is stopped at the benchmark's end. */
export async function benchStack(bench: Bench, env: Record<string, string> = {}): Promise<Stack> {
  const NODE_OPTIONS = bench.nodeOptions.join(' ');
  const stack = await startStack({ env: { LOG_LEVEL: 'error', NODE_OPTIONS, ...bench.nodeEnv, ...env } });
  bench.atEnd(() => stack.stop());
  return stack;
}

/** One of the stack's processes. Throws when there is none of that name. */
export function serviceNamed({ services }: Quickstart, name: string): Quickstart['services'][number] {
  const found = services.find((service) => service.name === name);
  if (!found) throw new Error(`no process is named ${name}: there are ${services.map((it) => it.name).join(', ')}`);
  return found;
}
