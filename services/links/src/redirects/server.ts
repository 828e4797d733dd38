import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Creates the HTTP server for visitors. Headers must arrive within 10 s and a whole request within 15 s, so that slow
 * clients do not occupy connections. Connections are kept alive for 75 s, longer than load balancers do (60 s), so that
 * these never write to a connection that is being closed.
 */
export function createRedirectServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: 75_000,
      noDelay: true,
    },
    listener,
  );
  server.on('clientError', refuse);
  return server;
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Responds to a request that could not be parsed, if the connection is still writable. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statuses[error.code ?? ''] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
