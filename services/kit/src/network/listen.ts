import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { withInterrupt } from '../async/time.js';

/** The open connections of each listening server. */
const connections = new WeakMap<Server, Set<Socket>>();
/** Interval at which idle connections are closed during a shutdown, milliseconds. */
const SWEEP_MS = 100;

/** Starts listening and resolves with the port. Rejects with a one-sentence message if the port cannot be used. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error.code})`;
      reject(new Error(`Port ${port} on ${host} ${why}.`));
    });
    server.listen(port, host, () => resolve((server.address() as { port: number }).port));
  });
}

/**
 * Stops accepting connections, closes idle ones and waits for running requests. After `withinMs` milliseconds, closes
 * the remaining connections.
 */
export async function closeHttp(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  endIdle(server);
  const sweep = setInterval(() => endIdle(server), SWEEP_MS);
  await withInterrupt(closed, withinMs, () => {
    for (const socket of connections.get(server) ?? []) socket.destroy();
  });
  clearInterval(sweep);
}

function endIdle(server: Server): void {
  server.closeIdleConnections();
  // Node.js does not treat a connection as idle before its first request.
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
