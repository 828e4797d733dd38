import type { Socket } from 'node:net';
import type { Client } from '../commands/context.js';
import { CloseConnection } from '../commands/fail-points.js';
import type { Engine } from '../engine.js';
import { MongoError } from '../language/errors.js';
import type { Document } from '../language/values.js';
import { BadFrame, FrameReader } from './frames.js';
import { markMoreToCome, readRequest, writeReply, type Request } from './messages.js';

/** A client's connection. Handles its requests one after another. */
export class Connection implements Client {
  closed = false;
  readonly #frames = new FrameReader();
  readonly #queue: Buffer[] = [];
  /** The request of an exhaust stream, to be handled again. */
  #repeated: Request | undefined;
  #isBusy = false;

  constructor(
    readonly id: number,
    private readonly socket: Socket,
    private readonly engine: Engine,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#received(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.closed = true));
  }

  /** Closes the connection after the pending requests, or after `ms` at most. */
  async drain(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (this.#isBusy && !this.closed && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    this.socket.destroy();
  }

  #received(chunk: Buffer): void {
    try {
      for (const message of this.#frames.push(chunk)) this.#queue.push(message);
      if (!this.#isBusy) this.#work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Handles the queued requests in order. Stays synchronous unless a reply is a promise. */
  #work(): void {
    this.#isBusy = true;
    for (let request = this.#next(); request && !this.closed; request = this.#next()) {
      const current = request;
      const reply = this.engine.handle(this, current);
      if (reply instanceof Promise) {
        const sent = reply.then((settled) => {
          this.#send(current, settled);
          this.#work();
        });
        sent.catch((error: unknown) => this.#fail(error));
        return;
      }
      this.#send(current, reply);
    }
    this.#isBusy = false;
  }

  /** Returns the next request. Responds to invalid BSON with an error. */
  #next(): Request | undefined {
    const repeated = this.#repeated;
    this.#repeated = undefined;
    if (repeated) return repeated;
    for (let message = this.#queue.shift(); message; message = this.#queue.shift()) {
      try {
        return readRequest(message);
      } catch (error) {
        if (!(error instanceof MongoError) && !(error instanceof RangeError)) throw error;
        const { reply } = error instanceof MongoError ? error : new MongoError('InvalidBSON', error.message);
        if (!this.closed) this.socket.write(writeReply(reply, message.readInt32LE(4), false));
      }
    }
    return undefined;
  }

  #send(request: Request, reply: Document): void {
    if (request.silent || this.closed) return;
    const message = writeReply(reply, request.id, request.legacy);
    if (request.stream && reply['ok'] === 1) {
      if (this.engine.stopping) return;
      // In an exhaust stream, each reply responds to the previous one.
      markMoreToCome(message);
      this.#repeated = { ...request, id: message.readInt32LE(4) };
    }
    this.socket.write(message);
  }

  #fail(error: unknown): void {
    this.#isBusy = false;
    this.closed = true;
    this.socket.destroy();
    if (!(error instanceof BadFrame) && !(error instanceof CloseConnection))
      this.engine.internalError('(connection)', error);
  }
}
