import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A received request. */
export interface Received {
  /** Time of arrival, Unix milliseconds. */
  at: number;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type Respond = (request: Received, response: ServerResponse, socket: Socket) => void;

/** A webhook receiver on its own port: real HTTP, or HTTPS if a certificate is given. */
export class Receiver {
  readonly received: Received[] = [];
  /** Responds to a request; 200 by default. */
  respond: Respond = (_request, response) => void response.writeHead(200).end('ok');
  /** Total number of connections. */
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #server: Server;

  private constructor(tls?: { key: string; cert: string }) {
    const handle = (request: IncomingMessage, response: ServerResponse): void => void this.#handle(request, response);
    this.#server = tls ? createTlsServer(tls, handle) : createServer(handle);
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#open.add(socket);
      socket.on('error', () => {}).once('close', () => this.#open.delete(socket));
    });
    this.#server.on('tlsClientError', () => {});
  }

  static async start(options: { tls?: { key: string; cert: string } } = {}): Promise<Receiver> {
    const receiver = new Receiver(options.tls);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Number of connections that are open now. */
  get openConnections(): number {
    return this.#open.size;
  }

  url(path = '/hook'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Returns the requests to one path. */
  at(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const arrived: Received = {
      at: Date.now(),
      path: request.url!,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    };
    this.received.push(arrived);
    this.respond(arrived, response, request.socket);
  }
}

/** Verifies a request with the official library. Throws if the signature is invalid. */
export const verify = (secret: string, { body, headers }: Pick<Received, 'body' | 'headers'>): unknown =>
  new Webhook(secret).verify(body, headers);
