import {
  connect,
  headers as newHeaders,
  type MsgHdrs,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { fail } from '../errors.js';
import type { Log } from '../telemetry/log.js';
import { Acknowledgements } from './acknowledgements.js';
import type { ConnectionOptions } from './connection-options.js';
import { watchLiveness } from './liveness.js';
import { ensureStreams } from './streams.js';
import { inSpan, traceparent } from '../telemetry/telemetry.js';
import { messageSpan } from './message-span.js';
import { sleep } from '../async/time.js';

export interface BusOptions extends ConnectionOptions {
  /** Name of the connection, visible at the server. */
  name: string;
  log: Log;
}

export interface PublishOptions {
  /** JetStream message id: duplicates within the duplicate window are stored once. */
  id: string;
  requestId?: string | null;
  /** Traces (W3C traceparent) that the message belongs to; default: that of the caller. */
  traces?: readonly string[] | undefined;
}

/** Receives the state of a connection, and whether this process has closed it. */
type ConnectionListener = (connected: boolean, closed: boolean) => void;

const ACK_TIMEOUT_MS = 1_000;

/**
 * The connection to NATS. It connects and reconnects indefinitely, so an unavailable bus never prevents startup. While
 * disconnected, requests fail immediately with SERVICE_UNAVAILABLE. A connected server that does not respond is
 * considered unavailable within one second.
 */
export class Bus {
  #connection: NatsConnection | undefined;
  #jetstream: JetStreamClient | undefined;
  #acknowledgements: Acknowledgements | undefined;
  #preparing: Promise<void> | undefined;
  /** Whether the streams have been created. */
  #prepared = false;
  /** Whether the connection is established and the streams have been created. */
  #ready = false;
  /** Whether the server responds to pings. */
  #alive = false;
  #connected = false;
  #wasConnected = false;
  #closed = false;
  /** The stream of each durable consumer of this connection, by durable name. */
  readonly durables = new Map<string, string>();
  #listeners = new Set<ConnectionListener>();
  #subscriptions: { subject: string; handler: (payload: unknown) => void }[] = [];

  constructor(private readonly options: BusOptions) {
    void this.#connectForever();
  }

  /**
   * Whether the connection is established, the streams have been created, and the server responded within the last
   * second.
   */
  get connected(): boolean {
    return this.#connected;
  }

  /** Calls the listener with the current state and at every change. Returns a function that removes the listener. */
  onChange(listener: ConnectionListener): () => void {
    this.#listeners.add(listener);
    listener(this.#connected, this.#closed);
    return () => this.#listeners.delete(listener);
  }

  /** Stores a message in a stream. Resolves when it is stored. After a rejection, it may still have been stored. */
  async publish(
    subject: string,
    payload: Uint8Array | string,
    { id, requestId, traces }: PublishOptions,
  ): Promise<void> {
    const acknowledgements = this.#connected ? this.#acknowledgements : undefined;
    if (!acknowledgements) throw unavailable();
    await inSpan(`publish ${subject}`, { ...messageSpan('publish', subject), from: traces }, () =>
      acknowledgements.publish(subject, payload, headersOf(id, requestId)),
    );
  }

  /**
   * Notifies current subscribers (core NATS, at most once). Returns false while disconnected. A server that does not
   * respond still receives the message and delivers it if it resumes.
   */
  notify(subject: string, payload: unknown): boolean {
    if (!this.#ready || !this.#connection) return false;
    this.#connection.publish(subject, JSON.stringify(payload));
    return true;
  }

  /**
   * Calls `handler` for every notification on a subject, across reconnects. Logs invalid JSON and errors of the
   * handler.
   */
  listen(subject: string, handler: (payload: unknown) => void): void {
    this.#subscriptions.push({ subject, handler });
    if (this.#connection) this.#subscribe(this.#connection, subject, handler);
  }

  /** Returns the JetStream client. Throws SERVICE_UNAVAILABLE while the bus is unavailable. */
  jetstream(): JetStreamClient {
    if (!this.#connected || !this.#jetstream) throw unavailable();
    return this.#jetstream;
  }

  /** Flushes and disconnects. A server that does not respond delays this by one second at most. */
  async close(): Promise<void> {
    this.#closed = true;
    const connection = this.#connection;
    if (!connection || connection.isClosed()) return;
    const disconnected = new Promise<void>((resolve) => this.onChange((connected) => connected || resolve()));
    // eslint-disable-next-line no-restricted-syntax -- an unresponsive server counts as disconnected within a second
    if (this.#connected) await Promise.race([connection.drain(), disconnected]);
    await connection.close();
  }

  async #connectForever(): Promise<void> {
    let loggedReason: string | undefined;
    while (!this.#closed && !this.#connection) {
      try {
        const { url, replicas: _replicas, log: _log, ...identity } = this.options;
        const connection = await connect({
          ...identity,
          servers: url.split(','),
          // Retry after authentication errors: the server may get rotated credentials before this process does.
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
        this.#jetstream = jetstream(connection, { timeout: ACK_TIMEOUT_MS });
        await this.#prepare(connection);
        if (connection.isClosed()) return;
        this.#prepared = true;
        this.#set({ ready: true });
      } catch (error) {
        const reason = String(error);
        if (reason !== loggedReason)
          this.options.log.warn({ err: error, url: this.options.url }, 'the bus cannot be reached');
        loggedReason = reason;
        await sleep(250 + Math.random() * 250, { ref: false });
      }
    }
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') this.#set({ ready: false });
      if (type !== 'reconnect' || !this.#prepared) continue;
      // Do not wait for the streams: a cluster responds to requests for them only once it has elected leaders.
      this.#set({ ready: true });
      void this.#prepare(connection);
    }
    this.#set({ ready: false });
  }

  /** Creates the streams and retries until they exist. A server may have lost them in a restart. */
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
        await sleep(wait, { ref: false });
      }
    }
  }

  #set({ ready = this.#ready, alive = this.#alive }): void {
    this.#ready = ready;
    this.#alive = alive;
    const connected = ready && alive;
    if (this.#connected === connected) return;
    this.#connected = connected;
    if (!this.#closed) this.#logChange();
    this.#wasConnected = true;
    for (const listener of this.#listeners) listener(connected, this.#closed);
  }

  #logChange(): void {
    const { log } = this.options;
    if (!this.#connected) log.warn({ silent: this.#ready && !this.#alive }, 'the connection to NATS is lost');
    else if (this.#wasConnected) log.warn('the connection to NATS is restored');
    else log.info('connected to NATS');
  }

  #subscribe(connection: NatsConnection, subject: string, handler: (payload: unknown) => void): void {
    const subscription: Subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.options.log.warn({ err: error, subject }, 'a subscription failed');
        try {
          handler(message.json());
        } catch (cause) {
          this.options.log.warn({ err: cause, subject }, 'a notification could not be handled');
        }
      },
    });
    void subscription.closed;
  }
}

const unavailable = () => fail('SERVICE_UNAVAILABLE', 'The message bus is unavailable.');

function headersOf(id: string, requestId: string | null | undefined): MsgHdrs {
  const headers = newHeaders();
  headers.set('Nats-Msg-Id', id);
  const trace = traceparent();
  if (trace !== undefined) headers.set('traceparent', trace);
  if (requestId) headers.set('x-request-id', requestId);
  return headers;
}
