import {
  Agent,
  request as send,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createEnvelopeServer } from '@tautan/gateway/client-error';
import { hasBody, requestHeaders, responseHeaders } from './headers.js';
import { timedOut, malformed, refuse, unavailable } from './refusal.js';
import { destinationOf, type Destination } from './route.js';

/** Address of an upstream process. */
export interface Address {
  host: string;
  port: number;
}

export interface FrontOptions {
  /** Replicas of the gateway, used in turn. */
  gateways: Address[];
  /** Replicas of the redirect process, used in turn. */
  redirects: Address[];
  /** Time in ms for which a visitor's GET or HEAD waits for an unavailable redirect process. */
  retryForMs?: number;
  /** Maximum time in ms from the end of a request to the head of its response. */
  timeoutsMs?: Record<Destination, number>;
  /** Maximum time in ms to receive the head of a request, and the whole request. */
  arrivalMs?: { head: number; whole: number };
}

const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 400;
/** Longer than a restart of the redirect process takes. */
const RETRY_FOR_MS = 5_000;
/** Longer than any valid response takes: an import may take 30 s. */
const TIMEOUTS_MS: Record<Destination, number> = { api: 35_000, pages: 15_000, redirect: 5_000 };
/** Same as in the gateway, which receives the slowest requests (imports). */
const ARRIVAL_MS = { head: 10_000, whole: 60_000 };
/** Interval at which connections are checked for slow requests. */
const CHECK_MS = 1_000;
/** Maximum bytes of a response head. The Location header can be long: a link's URL with the visitor's encoded query. */
const MAX_RESPONSE_HEAD = 64 * 1_024;
/** Shorter than the idle timeout of every upstream, so that no request is sent on a connection that is being closed. */
const IDLE_CONNECTION_MS = 2_500;
/** Same as in the redirect process: longer than the idle timeout of clients. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Creates the front: a reverse proxy that streams in both directions and changes only hop-by-hop and forwarding headers
 * (RFC 9110 section 7.6). A request is sent at most once. If no connection can be established, a request without a body
 * is tried on the next replica, and a visitor's GET or HEAD waits until a replica is available. If an upstream does not
 * respond in time, the front responds with an error.
 */
export function createFront({
  gateways,
  redirects,
  retryForMs = RETRY_FOR_MS,
  timeoutsMs = TIMEOUTS_MS,
  arrivalMs = ARRIVAL_MS,
}: FrontOptions): Server {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256, scheduling: 'lifo', timeout: IDLE_CONNECTION_MS });
  let turn = 0;
  const server = createEnvelopeServer(
    {
      headersTimeout: arrivalMs.head,
      requestTimeout: arrivalMs.whole,
      connectionsCheckingInterval: Math.min(CHECK_MS, arrivalMs.head),
      keepAlive: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const destination = destinationOf(request.url ?? '/');
      const mayRetry = destination === 'redirect' && isRepeatable(request);
      new Exchange(request, response, {
        agent,
        destination,
        addresses: destination === 'redirect' ? redirects : gateways,
        turn: (turn += 1),
        timeoutMs: timeoutsMs[destination],
        retryUntil: mayRetry ? Date.now() + retryForMs : 0,
      }).start();
    },
  );
  server.on('connect', (_request, socket) => {
    // Node.js has removed its own listener. Without one, a client that resets the connection would end the process.
    socket.on('error', () => {});
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.on('close', () => agent.destroy());
  return server;
}

const isRepeatable = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);

interface ExchangeOptions {
  agent: Agent;
  destination: Destination;
  addresses: Address[];
  /** Sequence number of the request. Selects the first address to try. */
  turn: number;
  /** Deadline for connection retries (Unix ms). */
  retryUntil: number;
  timeoutMs: number;
}

/** One proxied request. */
class Exchange {
  #upstream: ClientRequest | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryAfterMs = MIN_RETRY_MS;
  #responseTimer: NodeJS.Timeout | undefined;
  #hasResponse = false;
  /** Number of failed connection attempts, counted only if the request has no body. Selects the next replica. */
  #tried = 0;
  #timedOut = false;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {}

  start(): void {
    // Also emitted after a complete response, when there is nothing to abort.
    this.response.on('close', () => {
      clearTimeout(this.#retry);
      clearTimeout(this.#responseTimer);
      if (!this.response.writableFinished) this.#upstream?.destroy();
    });
    this.response.on('error', () => {});
    this.request.on('error', () => {});
    this.#attempt();
  }

  #attempt(): void {
    const { request, options } = this;
    const { host, port } = options.addresses[(options.turn + this.#tried) % options.addresses.length]!;
    let upstream: ClientRequest;
    try {
      upstream = send({
        agent: options.agent,
        host,
        port,
        method: request.method,
        path: request.url,
        headers: requestHeaders(request),
        maxHeaderSize: MAX_RESPONSE_HEAD,
      });
    } catch {
      // A target or header that Node's HTTP parser accepts and Node's HTTP client rejects.
      return refuse(request, this.response, options.destination, malformed);
    }
    this.#upstream = upstream;
    upstream.on('response', (answer) => this.#forwardResponse(answer));
    upstream.on('error', (error: NodeJS.ErrnoException) => this.#failed(error));
    if (hasBody(request)) request.pipe(upstream).once('finish', () => this.#expectResponse(upstream));
    else {
      upstream.end();
      this.#expectResponse(upstream);
    }
  }

  #expectResponse(upstream: ClientRequest): void {
    if (this.#hasResponse || upstream.destroyed) return;
    clearTimeout(this.#responseTimer);
    this.#responseTimer = setTimeout(() => {
      this.#timedOut = true;
      upstream.destroy(new Error('no response in time'));
    }, this.options.timeoutMs);
  }

  #forwardResponse(answer: IncomingMessage): void {
    const { response } = this;
    this.#hasResponse = true;
    clearTimeout(this.#responseTimer);
    if (response.destroyed) return void answer.destroy();
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, responseHeaders(answer));
    // Send the head of a streamed response immediately, and any other head together with the body. (flushHeaders()
    // would encode the bytes of a header as UTF-8.)
    if (answer.headers['content-length'] === undefined) response.write(Buffer.alloc(0));
    answer.pipe(response);
    // If the upstream aborts the response, the client must not receive one that looks complete.
    answer.on('close', () => {
      if (!answer.complete) response.destroy();
    });
    answer.on('error', () => response.destroy());
  }

  #failed(error: NodeJS.ErrnoException): void {
    // Once a response has started, only errors of the response matter. The upload may fail because nothing reads it.
    if (this.response.destroyed || this.#hasResponse) return;
    const couldNotConnect = error.syscall === 'connect';
    if (couldNotConnect && !hasBody(this.request) && (this.#tried += 1) < this.options.addresses.length)
      return this.#attempt();
    if (couldNotConnect && Date.now() < this.options.retryUntil) {
      this.#retry = setTimeout(() => this.#attempt(), this.#retryAfterMs);
      this.#retryAfterMs = Math.min(this.#retryAfterMs * 2, MAX_RETRY_MS);
      return;
    }
    // Discard the rest of the upload, so that it does not delay the response.
    this.request.unpipe();
    this.request.resume();
    const { destination } = this.options;
    const isTimeout = this.#timedOut && destination === 'api';
    refuse(this.request, this.response, destination, isTimeout ? timedOut(this.request.method) : unavailable);
  }
}
