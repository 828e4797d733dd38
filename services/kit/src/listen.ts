import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of each server that listens. */
const connections = new WeakMap<Server, Set<Socket>>();
/** How often connections that became idle during a close are ended, milliseconds. */
const SWEEP_MS = 100;

/** Listens and answers the port. Rejects with one plain sentence when the port is taken or not allowed. */
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

/** Stops accepting, ends idle connections, waits for running requests; past the bound (ms) cuts what is left. */
export function closeHttp(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => endIdle(server), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
    endIdle(server);
  });
}

function endIdle(server: Server): void {
  server.closeIdleConnections();
  // Node does not count one as idle that was opened in advance and has asked for nothing yet.
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}
