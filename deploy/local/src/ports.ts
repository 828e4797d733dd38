import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// All ranges are below the ephemeral ports (Linux from 32768, others from 49152), so that the port of a restarted child
// process is still free.
const FIRST_BLOCK = 20_000;
const BLOCKS = 64;
const BLOCK_SIZE = 128;
// The permanent ports of a data folder are outside of the blocks, so that no other stack reserves them while the stack
// of this data folder is stopped.
const FIRST_PERMANENT = FIRST_BLOCK + BLOCKS * BLOCK_SIZE;
const LAST_PERMANENT = 32_700;
const ATTEMPTS = 200;

export interface ReservedPorts {
  ports: number[];
  release(): Promise<void>;
}

/**
 * Reserves `count` free ports (at most 127) of a block, except those in `excluded`. Listening on the first port of a
 * block reserves the block, so that stacks that start at the same time never choose the same port.
 */
export async function reservePorts(
  count: number,
  host: string,
  excluded: readonly number[],
  firstBlockIndex = randomInt(BLOCKS),
): Promise<ReservedPorts> {
  for (let tried = 0; tried < BLOCKS; tried += 1) {
    const first = FIRST_BLOCK + ((firstBlockIndex + tried) % BLOCKS) * BLOCK_SIZE;
    const guard = await listenOn(first, host).catch(() => undefined);
    if (!guard) continue;
    const ports = await freePortsOf(first + 1, first + BLOCK_SIZE, count, host, excluded);
    if (ports) return { ports, release: () => close(guard) };
    await close(guard);
  }
  throw new Error(`Could not find ${count} free ports on ${host} from ${FIRST_BLOCK} to ${FIRST_PERMANENT - 1}.`);
}

async function freePortsOf(first: number, end: number, count: number, host: string, excluded: readonly number[]) {
  const ports: number[] = [];
  for (let port = first; port < end && ports.length < count; port += 1)
    if (!excluded.includes(port) && (await isFree(port, host))) ports.push(port);
  return ports.length === count ? ports : undefined;
}

/** Returns a free permanent port that is not in `excluded`, for a data folder. */
export async function choosePermanentPort(host: string, excluded: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST_PERMANENT, LAST_PERMANENT + 1);
    if (!excluded.includes(port) && (await isFree(port, host))) return port;
  }
  throw new Error(`Could not find a free port on ${host} from ${FIRST_PERMANENT} to ${LAST_PERMANENT}.`);
}

/** Returns whether a server can listen on the port. */
export const isFree = async (port: number, host: string): Promise<boolean> =>
  (await listenErrorOf(port, host)) === undefined;

/** Returns the code of the error that prevents a server from listening on the port, or undefined if it can. */
export async function listenErrorOf(port: number, host: string): Promise<string | undefined> {
  try {
    await close(await listenOn(port, host));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Returns a listening server that closes every connection immediately. */
async function listenOn(port: number, host: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).listen(port, host);
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
