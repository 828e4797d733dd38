import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ranges that systems take outgoing ports from (Linux from 32768, others from 49152): a child that comes back
// must find its port still free.
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 200;

/** Chooses `count` different ports that nobody listens on now, other than those that are spoken for. */
export async function freePorts(count: number, host: string, spokenFor: readonly number[] = []): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count; attempt += 1) {
    if (attempt > ATTEMPTS) throw new Error(`No free ports were found on ${host}.`);
    const port = randomInt(FIRST, LAST);
    if (!found.has(port) && !spokenFor.includes(port) && (await isFree(port, host))) found.add(port);
  }
  return [...found];
}

/** Whether nobody listens on a port now. */
export function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
