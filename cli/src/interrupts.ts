import { exitCodes } from './errors.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const cleanups = new Set<() => void>();
let shields = 0;
let pending: number | undefined;
let announce: () => void;

/** Resolves when the process is to end. Work that is `shielded` learns from it that it must come to its own end. */
export const interrupted = new Promise<void>((resolve) => (announce = resolve));

/** Ends the process on Ctrl-C with 130 (on other signals as a shell tells them), after what was registered is cleaned up. */
export function handleInterrupts(): void {
  const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 };
  for (const signal of signals) {
    process.on(signal, () => end(codes[signal]));
  }
}

/** Ends the process with a code as an interrupt does: not in the middle of shielded work, and after what was registered is cleaned up. */
export function end(code: number): void {
  pending ??= code;
  announce();
  if (shields === 0) leave();
}

function leave(): never {
  for (const clean of cleanups) clean();
  process.exit(pending);
}

/** Registers what must happen when the process is interrupted; answers how to take it back. */
export function onInterrupt(clean: () => void): () => void {
  cleanups.add(clean);
  return () => cleanups.delete(clean);
}

/** Runs what must not be cut in the middle; an interrupt meanwhile takes effect when it is over. */
export async function shielded<T>(work: () => Promise<T>): Promise<T> {
  shields++;
  try {
    return await work();
  } finally {
    shields--;
    if (shields === 0 && pending !== undefined) leave();
  }
}
