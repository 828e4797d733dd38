import type { Server } from 'node:http';

/** Listens and answers the port. Rejects with one plain sentence when the port is taken or not allowed. */
export function listen(server: Server, port: number, host: string): Promise<number> {
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
    const cut = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
