import { exitCodes } from './errors.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const cleanups = new Set<() => void>();
let shields = 0;
let pending: number | undefined;
let resolveInterrupted: () => void;

/** Resolves on the first interrupt. Shielded work should finish when it resolves. */
export const interrupted = new Promise<void>((resolve) => (resolveInterrupted = resolve));

/** Ends the process on Ctrl-C with status 130 (128 + signal number for others), after running the registered cleanups. */
export function handleInterrupts(): void {
  const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 };
  for (const signal of signals) {
    process.on(signal, () => exitGracefully(codes[signal]));
  }
}

/** Exits with a code, like an interrupt: after shielded work and the registered cleanups. */
export function exitGracefully(code: number): void {
  pending ??= code;
  resolveInterrupted();
  if (shields === 0) exit();
}

function exit(): never {
  for (const clean of cleanups) clean();
  process.exit(pending);
}

/** Registers a cleanup for interrupts. Returns a function that unregisters it. */
export function onInterrupt(clean: () => void): () => void {
  cleanups.add(clean);
  return () => cleanups.delete(clean);
}

/** Runs work that must not be interrupted. An interrupt takes effect when the work has finished. */
export async function shielded<T>(work: () => Promise<T>): Promise<T> {
  shields++;
  try {
    return await work();
  } finally {
    shields--;
    if (shields === 0 && pending !== undefined) exit();
  }
}
