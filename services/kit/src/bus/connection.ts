import {
  connect,
  headers as newHeaders,
  type MsgHdrs,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { fail } from '../errors.js';
import type { Log } from '../log.js';
import { Acknowledgements } from './acknowledgements.js';
import type { ConnectionOptions } from './connection-options.js';
import { watchLiveness } from './liveness.js';
import { ensureStreams } from './streams.js';
import { inSpan, traceparent } from '../telemetry.js';
import { messageSpan } from './message-span.js';

export interface BusOptions extends ConnectionOptions {
  /** Name of the connection, seen at the server. */
  name: string;
  log: Log;
}

export interface PublishOptions {
  /** JetStream message id: a repetition within the duplicate window is stored once. */
  id: string;
  requestId?: string | null;
  /** Traces (W3C traceparent) that the message belongs to; default: that of the caller. */
  traces?: readonly string[] | undefined;
}

const ACK_TIMEOUT_MS = 1_000;

/**
 * The connection to NATS. It connects and reconnects by itself for ever, so an unavailable bus never keeps a process
 * from starting; requests fail at once with SERVICE_UNAVAILABLE meanwhile. A server that is connected but does not
 * answer counts as unavailable within one second.
 */
export class Bus {
  #connection: NatsConnection | undefined;
  #stream: JetStreamClient | undefined;
  #acknowledgements: Acknowledgements | undefined;
  #preparing: Promise<void> | undefined;
  /** Whether the streams existed once. */
  #prepared = false;
  /** Whether the connection is established and the streams existed once. */
  #ready = false;
  /** Whether the server answers. */
  #alive = false;
  #connected = false;
  /** Whether it was connected before. */
  #known = false;
  #closed = false;
  /** The durables that are consumed over this connection, and their streams. */
  readonly durables = new Map<string, string>();
  #listeners = new Set<(connected: boolean) => void>();
  #subscriptions: { subject: string; handler: (payload: unknown) => void }[] = [];

  constructor(private readonly options: BusOptions) {
    void this.#connectForEver();
  }

  /** Whether the connection is established and the server answered within the last second. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Calls back at every change of the connection, and once with its present state. Answers how to stop that. */
  onChange(listener: (connected: boolean) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#connected);
    return () => this.#listeners.delete(listener);
  }

  /** Stores a message on a stream. Resolves when the server has it on disk; a rejection does not mean that it was not stored. */
  async publish(
    subject: string,
    payload: Uint8Array | string,
    { id, requestId, traces }: PublishOptions,
  ): Promise<void> {
    const acknowledgements = this.#connected ? this.#acknowledgements : undefined;
    if (!acknowledgements) throw away();
    await inSpan(`publish ${subject}`, { ...messageSpan('publish', subject), from: traces }, () =>
      acknowledgements.publish(subject, payload, headersOf(id, requestId)),
    );
  }

  /**
   * Notifies current listeners (core NATS, at most once). Returns false while there is no connection. A server that does
   * not answer still gets the message: it delivers it if it resumes.
   */
  notify(subject: string, payload: unknown): boolean {
    if (!this.#ready || !this.#connection) return false;
    this.#connection.publish(subject, JSON.stringify(payload));
    return true;
  }

  /** Calls back for every notification on a subject, over all reconnects. A payload that is not JSON is dropped with a log line. */
  listen(subject: string, handler: (payload: unknown) => void): void {
    this.#subscriptions.push({ subject, handler });
    if (this.#connection) this.#subscribe(this.#connection, subject, handler);
  }

  /** The JetStream client. Throws SERVICE_UNAVAILABLE while the bus is away. */
  jetstream(): JetStreamClient {
    if (!this.#connected || !this.#stream) throw away();
    return this.#stream;
  }

  /** Sends what is buffered and disconnects. A server that does not answer delays this by a second at most. */
  async close(): Promise<void> {
    this.#closed = true;
    const connection = this.#connection;
    if (!connection || connection.isClosed()) return;
    const disconnected = new Promise<void>((resolve) => this.onChange((connected) => connected || resolve()));
    if (this.#connected) await Promise.race([connection.drain(), disconnected]);
    await connection.close();
  }

  async #connectForEver(): Promise<void> {
    let loggedReason: string | undefined;
    while (!this.#closed && !this.#connection) {
      try {
        const { url, replicas: _replicas, log: _log, ...identity } = this.options;
        const connection = await connect({
          ...identity,
          servers: url.split(','),
          // Credentials may be replaced at the server first.
          ignoreAuthErrorAbort: true,
          maxReconnectAttempts: -1,
          reconnectTimeWait: 250,
          reconnectJitter: 250,
          pingInterval: 10_000,
          maxPingOut: 2,
          timeout: 2_000,
        });
        if (this.#closed) return void (await connection.close());
        this.#connection = connection;
        this.#acknowledgements = new Acknowledgements(connection, ACK_TIMEOUT_MS);
        for (const { subject, handler } of this.#subscriptions) this.#subscribe(connection, subject, handler);
        void this.#follow(connection);
        void watchLiveness(connection, (alive) => this.#set({ alive }));
        this.#stream = jetstream(connection, { timeout: ACK_TIMEOUT_MS });
        await this.#prepare(connection);
        this.#prepared = true;
        this.#set({ ready: true });
      } catch (error) {
        const reason = String(error);
        if (reason !== loggedReason)
          this.options.log.warn({ err: error, url: this.options.url }, 'the bus cannot be reached');
        loggedReason = reason;
        await new Promise((resolve) => setTimeout(resolve, 250 + Math.random() * 250).unref());
      }
    }
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#set({ ready: false });
      if (type !== 'reconnect' || !this.#prepared) continue;
      // A cluster answers requests about streams only once it has elected its leaders; what needs none works before.
      this.#set({ ready: true });
      void this.#prepare(connection);
    }
    this.#set({ ready: false });
  }

  /** Ensures that the streams exist, and tries again until they do: a server may have come back without its data. */
  #prepare(connection: NatsConnection): Promise<void> {
    this.#preparing ??= this.#ensureStreams(connection).finally(() => (this.#preparing = undefined));
    return this.#preparing;
  }

  async #ensureStreams(connection: NatsConnection): Promise<void> {
    for (let wait = 100; !connection.isClosed(); wait = Math.min(wait * 2, 2_000)) {
      try {
        return await ensureStreams(connection, this.options.replicas ?? 1);
      } catch (error) {
        this.options.log.warn({ err: error }, 'JetStream is not ready');
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
    }
  }

  #set({ ready = this.#ready, alive = this.#alive }): void {
    this.#ready = ready;
    this.#alive = alive;
    const connected = ready && alive;
    if (this.#connected === connected) return;
    this.#connected = connected;
    const { log } = this.options;
    if (!connected) log.warn({ silent: ready && !alive }, 'the connection to NATS is lost');
    else if (this.#known) log.warn('the connection to NATS is restored');
    else log.info('connected to NATS');
    this.#known = true;
    for (const listener of this.#listeners) listener(connected);
  }

  #subscribe(connection: NatsConnection, subject: string, handler: (payload: unknown) => void): void {
    const subscription: Subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.options.log.warn({ err: error, subject }, 'a subscription failed');
        try {
          handler(message.json());
        } catch (cause) {
          this.options.log.warn({ err: cause, subject }, 'a notification could not be read');
        }
      },
    });
    void subscription.closed;
  }
}

const away = () => fail('SERVICE_UNAVAILABLE', 'The message bus is away.');

function headersOf(id: string, requestId: string | null | undefined): MsgHdrs {
  const headers = newHeaders();
  headers.set('Nats-Msg-Id', id);
  const trace = traceparent();
  if (trace !== undefined) headers.set('traceparent', trace);
  if (requestId) headers.set('x-request-id', requestId);
  return headers;
}
