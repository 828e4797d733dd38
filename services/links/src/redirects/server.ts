import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeHttp, listen } from '@tautan/kit';
import { Connection, type ConnectionContext } from './connection.js';
import { redirectFields, type Exchange } from './exchange.js';
import { NodeExchange } from './node-exchange.js';
import { headReader, relevantHeaders } from './request-head.js';
import { RequestParser } from './request-parser.js';
import { ResponseHeads } from './response-head.js';

/** Time to wait on a connection, in milliseconds. */
interface Timeouts {
  /** For the first request, and for all headers of a request that has begun. */
  firstRequestMs: number;
  /** For the next request. */
  keepAliveMs: number;
}

/**
 * Keep-alive lasts longer than the usual idle timeout of load balancers (60 s), so that they never write to a
 * connection that is being closed.
 */
const defaultTimeouts: Timeouts = { firstRequestMs: 10_000, keepAliveMs: 75_000 };

export interface RedirectServerOptions {
  /** Names in lower case. */
  countryHeaders: readonly string[];
  handle: (exchange: Exchange) => void;
  timeouts?: Timeouts | undefined;
}

/**
 * The HTTP server for visitors. It parses and answers the most common form of requests itself, which takes less CPU
 * time than node:http does. All other requests are handled by node:http, malformed and slow ones included. Headers must
 * arrive within 10 s and a whole request within 15 s, so that slow clients do not occupy connections.
 */
export class RedirectServer {
  readonly #http: Server;
  readonly #connections = new Set<Connection>();
  #isDraining = false;

  constructor({ countryHeaders, handle, timeouts = defaultTimeouts }: RedirectServerOptions) {
    const readHead = headReader(countryHeaders);
    this.#http = createNodeServer(timeouts, (request, response) => {
      if (this.#isDraining) response.shouldKeepAlive = false;
      handle(new NodeExchange(request, response, readHead(inLowerCase(request.rawHeaders))));
    });
    const [accept] = this.#http.listeners('connection') as ((socket: Socket) => void)[];
    const context: ConnectionContext = {
      parser: new RequestParser([...relevantHeaders, ...countryHeaders]),
      readHead,
      heads: new ResponseHeads(redirectFields, timeouts.keepAliveMs / 1_000),
      handle,
      handOver: (connection, socket) => {
        this.#connections.delete(connection);
        accept!.call(this.#http, socket);
      },
      onFirstTimeout: (socket) => respondToInvalidRequest({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket),
      isDraining: () => this.#isDraining,
      timeouts,
    };
    this.#http.off('connection', accept!);
    this.#http.on('connection', (socket: Socket) => {
      const connection = new Connection(socket, context);
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
    });
  }

  /** Starts listening and resolves with the port. Rejects with a one-sentence message if the port cannot be used. */
  listen(port: number, host: string): Promise<number> {
    return listen(this.#http, port, host);
  }

  /** Stops accepting connections, closes idle ones and waits for running requests; closes the rest after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#isDraining = true;
    for (const connection of this.#connections) connection.drain();
    await closeHttp(this.#http, withinMs);
  }
}

/** Returns raw headers (name, value, name, value …) with names in lower case. */
const inLowerCase = (raw: readonly string[]): string[] =>
  raw.map((text, i) => (i % 2 === 0 ? text.toLowerCase() : text));

const createNodeServer = ({ firstRequestMs, keepAliveMs }: Timeouts, listener: RequestListener): Server =>
  createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: firstRequestMs,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: keepAliveMs,
      noDelay: true,
    },
    listener,
  ).on('clientError', respondToInvalidRequest);

const statusOfError: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Responds to a request that could not be parsed or did not arrive in time, if the connection is still writable. */
function respondToInvalidRequest({ code = '' }: { code?: string }, socket: Duplex): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statusOfError[code] ?? 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
