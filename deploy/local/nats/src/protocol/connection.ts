import type { Socket } from 'node:net';
import { isLiteralSubject, isSubset, isValidSubject } from '../routing/subject.js';
import type { Message, Router, Subscriber } from '../routing/router.js';
import { statusHeader } from './headers.js';
import { OutputBuffer } from './output-buffer.js';
import { Parser, ProtocolError, type Operation } from './parser.js';

export interface ConnectionLimits {
  /** Maximum size of header and payload in bytes. */
  maxPayload: number;
  /** Maximum pending bytes before a slow client is disconnected. */
  maxPending: number;
  /** Ping interval in ms. */
  pingInterval: number;
  /** Maximum number of unanswered pings. */
  maxPingsOut: number;
}

/** Maximum time in ms for writing the pending output of a connection that is being closed. */
const FLUSH_MS = 1_000;

/** Options that a client sets with CONNECT (NATS client protocol). */
interface ClientOptions {
  verbose: boolean;
  pedantic: boolean;
  echo: boolean;
  headers: boolean;
  noResponders: boolean;
}

/** A client connection with its subscriptions and options. */
export class Connection {
  readonly #output: OutputBuffer;
  readonly #parser: Parser;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #pinger: NodeJS.Timeout;
  #options: ClientOptions = { verbose: true, pedantic: false, echo: true, headers: false, noResponders: false };
  #pingsOut = 0;
  #closed = false;

  /** `onClose` is called once with the reason. */
  constructor(
    private readonly socket: Socket,
    private readonly router: Router,
    private readonly limits: ConnectionLimits,
    info: object,
    private readonly onClose: (reason: string) => void,
  ) {
    this.#output = new OutputBuffer(socket, limits.maxPending, () => this.close('slow consumer'));
    this.#parser = new Parser(limits.maxPayload, (operation) => this.#handle(operation));
    this.#pinger = setInterval(() => this.#ping(), limits.pingInterval);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.close(error.message));
    socket.on('close', () => this.close('client closed'));
    this.#output.send(`INFO ${JSON.stringify(info)}`);
  }

  /**
   * Ends the connection after flushing pending output, or after FLUSH_MS if the client does not read. The pending
   * output of a slow consumer is discarded.
   */
  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#pinger);
    for (const subscription of this.#subscriptions.values()) this.router.remove(subscription);
    this.#subscriptions.clear();
    if (reason === 'slow consumer') this.socket.destroy();
    else {
      this.#output.flush();
      this.socket.destroySoon();
      setTimeout(() => this.socket.destroy(), FLUSH_MS).unref();
    }
    this.onClose(reason);
  }

  /** Sends a message for the subscription `sid`. Omits headers for clients without header support. */
  write(sid: string, { subject, reply, header, payload }: Message): void {
    if (this.#closed) return;
    const to = reply === undefined ? `${subject} ${sid}` : `${subject} ${sid} ${reply}`;
    if (header && this.#options.headers) {
      this.#output.send(`HMSG ${to} ${header.length} ${header.length + payload.length}`, header, payload);
    } else {
      this.#output.send(`MSG ${to} ${payload.length}`, payload);
    }
  }

  /** Returns whether the client published the message itself and has disabled echo. */
  refuses(origin: unknown): boolean {
    return origin === this && !this.#options.echo;
  }

  drop(subscription: Subscription): void {
    this.router.remove(subscription);
    this.#subscriptions.delete(subscription.sid);
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    try {
      this.#parser.feed(chunk);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error.reply !== undefined) this.#output.send(`-ERR '${error.reply}'`);
      this.close(error.message);
    }
  }

  #handle(operation: Operation): void {
    if (this.#closed) return;
    switch (operation.op) {
      case 'pub':
        return this.#publish(operation);
      case 'sub':
        return this.#subscribe(operation);
      case 'unsub':
        this.#subscriptions.get(operation.sid)?.limit(operation.max);
        return this.#ok();
      case 'connect':
        return this.#connect(operation.options);
      case 'ping':
        return this.#output.send('PONG');
      case 'pong':
        this.#pingsOut = 0;
    }
  }

  #connect(options: unknown): void {
    if (typeof options !== 'object' || options === null) throw new ProtocolError(undefined);
    const given = options as Record<string, unknown>;
    const flag = (name: string, otherwise: boolean): boolean => (name in given ? given[name] === true : otherwise);
    const headers = flag('headers', false);
    this.#options = {
      verbose: flag('verbose', true),
      pedantic: flag('pedantic', false),
      echo: flag('echo', true),
      headers,
      noResponders: flag('no_responders', false),
    };
    if (this.#options.noResponders && !headers) throw new ProtocolError('no responders requires headers support');
    this.#ok();
  }

  #publish({ subject, reply, headerBytes, body }: Operation & { op: 'pub' }): void {
    if (headerBytes > 0 && !this.#options.headers) throw new ProtocolError('message headers not supported');
    if (this.#options.pedantic && !isLiteralSubject(subject)) this.#output.send(`-ERR 'Invalid Publish Subject'`);
    const header = headerBytes > 0 ? body.subarray(0, headerBytes) : undefined;
    this.#ok();
    const message = { subject, reply, header, payload: body.subarray(headerBytes) };
    if (this.router.publish(message, this)) return;
    if (reply !== undefined && this.#options.noResponders) this.#noResponders(subject, reply);
  }

  /** Sends a no-responders status to the requester, so that the request fails immediately. */
  #noResponders(subject: string, reply: string): void {
    const header = statusHeader('503', { 'Nats-Subject': subject });
    const own = [...this.#subscriptions.values()].find((subscription) => subscription.matches(reply));
    own?.deliver({ subject: reply, header, payload: Buffer.alloc(0) }, undefined);
  }

  #subscribe({ subject, queue, sid }: Operation & { op: 'sub' }): void {
    if (!isValidSubject(subject)) return this.#output.send(`-ERR 'Invalid Subject'`);
    if (!this.#subscriptions.has(sid)) {
      const subscription = new Subscription(this, subject, queue, sid);
      this.#subscriptions.set(sid, subscription);
      this.router.add(subscription);
    }
    this.#ok();
  }

  #ok(): void {
    if (this.#options.verbose) this.#output.send('+OK');
  }

  #ping(): void {
    if (this.#pingsOut >= this.limits.maxPingsOut) {
      this.#output.send(`-ERR 'Stale Connection'`);
      this.close('stale connection');
      return;
    }
    this.#pingsOut++;
    this.#output.send('PING');
  }
}

/** A subscription of a client. */
export class Subscription implements Subscriber {
  #delivered = 0;
  #max = Infinity;

  constructor(
    private readonly connection: Connection,
    readonly subject: string,
    readonly queue: string | undefined,
    readonly sid: string,
  ) {}

  deliver(message: Message, origin: unknown): void {
    if (this.connection.refuses(origin) || this.#delivered >= this.#max) return;
    this.#delivered++;
    this.connection.write(this.sid, message);
    if (this.#delivered >= this.#max) this.connection.drop(this);
  }

  /** Ends the subscription after a total of `max` messages, or immediately if `max` is omitted. */
  limit(max = 0): void {
    this.#max = max;
    if (this.#delivered >= this.#max) this.connection.drop(this);
  }

  matches(subject: string): boolean {
    return isSubset(subject, this.subject);
  }
}
