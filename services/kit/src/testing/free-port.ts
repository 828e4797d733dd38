import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ephemeral ports, so that no outgoing connection takes the port first, and below the ports of local stacks.
const FIRST = 11_000;
const LAST = 20_000;
const chosen = new Set<number>();

/** Returns a port of 127.0.0.1 that nothing listens on, and that this process has not chosen before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (chosen.has(port) || !(await isFree(port))) continue;
    chosen.add(port);
    return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
