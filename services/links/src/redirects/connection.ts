import type { Socket } from 'node:net';
import type { Exchange } from './exchange.js';
import type { Page } from './pages.js';
import type { RequestHead } from './request-head.js';
import { headerOf, type ParsedRequest, type RequestParser } from './request-parser.js';
import type { ResponseHeads } from './response-head.js';

/** What all connections of a server share. */
export interface ConnectionContext {
  parser: RequestParser;
  readHead(headers: readonly string[]): RequestHead;
  heads: ResponseHeads;
  handle(exchange: Exchange): void;
  /** Lets node:http handle the connection from now on. */
  handOver(connection: Connection, socket: Socket): void;
  /** Responds with 408 to a connection that has sent no request in time, and closes it. */
  onFirstTimeout(socket: Socket): void;
  /** Whether connections are closed after their response. */
  isDraining(): boolean;
  timeouts: { firstRequestMs: number; keepAliveMs: number };
}

/**
 * A visitor's connection, as long as it carries only requests of the most common form (see `RequestParser`), which are
 * handled one at a time. On the first bytes that are anything else, node:http takes the connection over.
 */
export class Connection {
  #peer: string | undefined;
  #used = false;
  #pending = false;
  #ended = false;

  constructor(
    private readonly socket: Socket,
    private readonly context: ConnectionContext,
  ) {
    socket.setTimeout(context.timeouts.firstRequestMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout).on('error', ignore);
  }

  /** The remote address; empty if unknown. */
  get peer(): string {
    return (this.#peer ??= this.socket.remoteAddress ?? '');
  }

  /** Closes the connection if it waits for a request; otherwise it closes after its response. */
  drain(): void {
    if (!this.#pending) this.socket.destroySoon();
  }

  /** Sends the response to the current request. */
  respond(head: string, body: Buffer | undefined, keepAlive: boolean): void {
    const { socket } = this;
    if (body) socket.cork();
    let isFlushed = socket.write(head, 'latin1');
    if (body) {
      isFlushed = socket.write(body);
      socket.uncork();
    }
    this.#pending = false;
    if (!keepAlive || this.#ended) socket.destroySoon();
    else if (!isFlushed) socket.pause().once('drain', () => socket.resume());
    else if (socket.isPaused()) socket.resume();
  }

  readonly #onData = (bytes: Buffer): void => {
    const { context, socket } = this;
    const request = context.parser.parse(bytes);
    if (!request) return this.#handOver(bytes);
    if (!this.#used) {
      this.#used = true;
      socket.setTimeout(context.timeouts.keepAliveMs);
    }
    this.#pending = true;
    context.handle(new DirectExchange(this, context, bytes, request));
    // The next request is read after the response.
    if (this.#pending) socket.pause();
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    if (!this.#pending) this.socket.destroySoon();
  };

  readonly #onTimeout = (): void => {
    if (this.#pending) return;
    if (this.#used) this.socket.destroy();
    else this.context.onFirstTimeout(this.socket);
  };

  #handOver(bytes: Buffer): void {
    const { socket } = this;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('timeout', this.#onTimeout).off('error', ignore);
    socket.setTimeout(0);
    // As one chunk: node:http reads further bytes directly from the operating system, so it must receive these first.
    const chunks = [bytes];
    for (let chunk = readBuffered(socket); chunk !== null; chunk = readBuffered(socket)) chunks.push(chunk);
    this.context.handOver(this, socket);
    socket.unshift(Buffer.concat(chunks));
  }
}

function ignore(): void {}

const readBuffered = (socket: Socket) => socket.read() as Buffer | null;

/** An exchange whose response is written to the connection directly. */
class DirectExchange implements Exchange {
  onSent: ((status: number) => void) | undefined;
  readonly method: string;
  readonly target: string;
  readonly head: RequestHead;
  #isSent = false;

  constructor(
    private readonly connection: Connection,
    private readonly context: ConnectionContext,
    private readonly bytes: Buffer,
    { method, target, headers }: ParsedRequest,
  ) {
    this.method = method;
    this.target = target;
    this.head = context.readHead(headers);
  }

  get peer(): string {
    return this.connection.peer;
  }

  get accept(): string | undefined {
    return headerOf(this.bytes, 'accept');
  }

  redirect(location: string, now: number): void {
    const keepAlive = !this.context.isDraining();
    this.#respond(302, this.context.heads.redirect(location, keepAlive, now), keepAlive);
  }

  send({ status, fields, body }: Page): void {
    const keepAlive = !this.context.isDraining();
    const head = this.context.heads.render(status, fields, keepAlive, Date.now());
    this.#respond(status, head, keepAlive, this.method === 'HEAD' ? undefined : body);
  }

  #respond(status: number, head: string, keepAlive: boolean, body?: Buffer): void {
    if (this.#isSent) return;
    this.#isSent = true;
    this.connection.respond(head, body, keepAlive);
    this.onSent?.(status);
  }
}
