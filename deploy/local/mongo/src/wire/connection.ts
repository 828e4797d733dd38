import type { Socket } from 'node:net';
import { CloseConnection } from '../commands/fail-points.js';
import type { Client } from '../commands/context.js';
import type { ScramExchange } from '../sessions/scram.js';
import type { Engine } from '../engine.js';
import { MongoError } from '../language/errors.js';
import { BadFrame, FrameReader } from './frames.js';
import { readRequest, type Request } from './messages.js';
import { CursorReply, markMoreToCome, writeReply, type Reply } from './replies.js';

/** One client: its requests are answered one after the other, in the order in which they came. */
export class Connection implements Client {
  appName?: string;
  exchange?: ScramExchange;
  isAuthenticated?: boolean;
  closed = false;
  readonly address: string;
  readonly #frames = new FrameReader();
  #queue: Buffer[] = [];
  /** A streaming command that goes on. */
  readonly #again: Request[] = [];
  #busy = false;

  constructor(
    readonly id: number,
    private readonly socket: Socket,
    private readonly engine: Engine,
  ) {
    this.address = `${socket.remoteAddress}:${socket.remotePort}`;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#received(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
  }

  /** Ends the connection when nothing is being answered any more, or after `ms`. */
  async drain(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (this.#busy && !this.closed && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    this.socket.destroy();
  }

  #received(chunk: Buffer): void {
    try {
      const messages = this.#frames.push(chunk);
      for (const message of messages) this.#queue.push(message);
      if (!this.#busy) this.#work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Answers what is queued, without a detour as long as the answers are there at once. */
  #work(): void {
    this.#busy = true;
    while (!this.closed) {
      const request = this.#next();
      if (request === undefined) break;
      if (request === null) continue;
      const reply = this.engine.handle(this, request);
      if (reply instanceof Promise) {
        reply.then(
          (settled) => this.#goOn(request, settled),
          (error: unknown) => this.#fail(error),
        );
        return;
      }
      this.#send(request, reply);
    }
    this.#busy = false;
  }

  #goOn(request: Request, reply: Reply): void {
    try {
      this.#send(request, reply);
      this.#work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What to do next: undefined when there is nothing, null when it was no command. */
  #next(): Request | null | undefined {
    const again = this.#again.shift();
    if (again) return again;
    const message = this.#queue.shift();
    return message && (this.#read(message) ?? null);
  }

  /** Reads a message; answers one that is framed well but is no sound BSON with its error. */
  #read(message: Buffer): Request | undefined {
    try {
      return readRequest(message);
    } catch (error) {
      if (!(error instanceof MongoError) && !(error instanceof RangeError)) throw error;
      const {
        code,
        codeName,
        message: errmsg,
      } = error instanceof MongoError ? error : new MongoError('InvalidBSON', error.message);
      const reply = { ok: 0, errmsg, code, codeName };
      if (!this.closed) this.socket.write(writeReply(reply, message.readInt32LE(4), false));
      return undefined;
    }
  }

  #send(request: Request, reply: Reply): void {
    if (request.silent || this.closed) return;
    const message = writeReply(reply, request.id, request.legacy);
    if (request.stream && !(reply instanceof CursorReply) && reply['ok'] === 1) this.#stream(request, message);
    else this.socket.write(message);
  }

  /** Sends a reply after which another one follows: the same command runs again as an answer to this reply. */
  #stream(request: Request, message: Buffer): void {
    if (this.engine.stopping) return;
    markMoreToCome(message);
    this.socket.write(message);
    this.#again.unshift({ ...request, id: message.readInt32LE(4) });
  }

  #fail(error: unknown): void {
    this.#busy = false;
    this.closed = true;
    this.socket.destroy();
    if (!(error instanceof BadFrame) && !(error instanceof CloseConnection))
      this.engine.unexpected('(connection)', error);
  }
}
