import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Creates the HTTP server for visitors. Headers must arrive within 10 s and a whole request within 15 s, so that slow
 * clients do not occupy connections. Idle connections stay open for 75 s, longer than
 * the usual 60 s of load balancers, so that a load balancer never writes to a connection that is being closed.
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
  server.on('clientError', respondToInvalidRequest);
  return server;
}

const statusOfError: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Responds to a request that could not be parsed, if the connection is still writable. */
function respondToInvalidRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusOfError[error.code ?? ''] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
