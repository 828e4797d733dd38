import { exitCodes } from './errors.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const cleanups = new Set<() => void>();
/** Number of running calls of `shielded`. */
let shieldCount = 0;
/** Exit code of the first interrupt. */
let pendingCode: number | undefined;
let resolveInterrupted: () => void;

/** Resolves on the first interrupt. Long work under `shielded` should then end early, because the exit waits for it. */
export const interrupted = new Promise<void>((resolve) => (resolveInterrupted = resolve));

/**
 * Ends the process on SIGINT (Ctrl-C), SIGTERM and SIGHUP with status 128 + signal number, after shielded work and the
 * registered cleanups.
 */
export function handleInterrupts(): void {
  const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 };
  for (const signal of signals) {
    process.on(signal, () => exitGracefully(codes[signal]));
  }
}

/** Exits with a code, like an interrupt: after shielded work and the registered cleanups. */
export function exitGracefully(code: number): void {
  pendingCode ??= code;
  resolveInterrupted();
  if (shieldCount === 0) exit();
}

function exit(): never {
  for (const clean of cleanups)
    try {
      clean();
    } catch {
      // The other cleanups and the exit code do not depend on this one.
    }
  process.exit(pendingCode);
}

/** Registers a cleanup for interrupts. Returns a function that unregisters it. */
export function onInterrupt(clean: () => void): () => void {
  cleanups.add(clean);
  return () => cleanups.delete(clean);
}

/** Runs work that must not be interrupted. An interrupt takes effect when the work has finished. */
export async function shielded<T>(work: () => Promise<T>): Promise<T> {
  shieldCount++;
  try {
    return await work();
  } finally {
    shieldCount--;
    if (shieldCount === 0 && pendingCode !== undefined) exit();
  }
}
