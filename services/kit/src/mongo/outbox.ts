import mongoose, { Schema, type ClientSession, type Connection, type Model } from 'mongoose';
import {
  eventSubject,
  parseEvent,
  type Changes,
  type EventData,
  type EventType,
  type TautanEvent,
} from '@tautan/proto';
import type { Bus } from '../bus/index.js';
import { newId } from '../ids.js';
import type { Log } from '../log.js';
import { Gauge, type Registry } from '../metrics.js';
import type { Principal } from '../principal.js';
import { inTransaction } from './transaction.js';

/** One event to tell, inside a transaction. */
export interface Emission<T extends EventType = EventType> {
  type: T;
  target: { type: string; id: string; label: string };
  data: EventData<T>;
  changes?: Changes;
  /** The workspace, where there is no principal (the system's own changes). */
  workspaceId?: string;
}

/** The transaction that a use case writes in. */
export interface Transaction {
  session: ClientSession;
  /** Answers the event as it will be told once the transaction is committed. */
  emit<T extends EventType>(emission: Emission<T>): TautanEvent;
}

/** Runs work in a transaction and tells its events once it is committed. May run `work` more than once. */
export type Transact = <T>(by: Principal | null, work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Stored {
  _id: string;
  event: TautanEvent;
  createdAt: Date;
}

const TRANSACTION_TIMEOUT_MS = 2_500;
const SWEEP_EVERY_MS = 1_000;
const SWEEP_OLDER_THAN_MS = 2_000;
const SWEEP_BATCH = 500;
const PUBLISH_AT_ONCE = 64;

const schema = new Schema<Stored>(
  { _id: String, event: Object, createdAt: Date },
  { versionKey: false, minimize: false },
);

/**
 * The outbox: events are written in the transaction that changed the state, published to JetStream after the commit, and
 * removed when the stream has them. The sweeper publishes what a crash or an absent bus left; repetitions carry the same
 * message id.
 */
export class Outbox {
  readonly #model: Model<Stored>;
  readonly #connection: Connection;
  readonly #bus: Bus;
  readonly #log: Log;
  readonly #pending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ connection, bus, log, registry }: { connection: Connection; bus: Bus; log: Log; registry: Registry }) {
    this.#connection = connection;
    this.#bus = bus;
    this.#log = log;
    this.#model = connection.model<Stored>('outbox', schema, 'outbox');
    const pending = this.#pending;
    new Gauge({
      name: 'tautan_outbox_publishing',
      help: 'Event batches on their way to the stream',
      registers: [registry],
      collect() {
        this.set(pending.size);
      },
    });
    this.#schedule();
  }

  /** Makes the collection and its index. */
  async prepare(): Promise<void> {
    await this.#model.createCollection();
    await this.#model.collection.createIndex({ createdAt: 1 });
  }

  transact: Transact = async (by, work) => {
    let events: TautanEvent[] = [];
    const result = await inTransaction(this.#connection, TRANSACTION_TIMEOUT_MS, async (session) => {
      events = [];
      const outcome = await work({
        session,
        emit: (emission) => {
          const event = compose(by, emission);
          events.push(event);
          return event;
        },
      });
      const createdAt = new Date();
      const rows = events.map((event) => ({ _id: event.id, event, createdAt }));
      // Straight to the driver: the events are already checked against their catalogue.
      if (rows.length) await this.#model.collection.insertMany(rows as never[], { session });
      return outcome;
    });
    if (events.length && this.#bus.connected) this.#track(this.#publish(events));
    return result;
  };

  /** Stops sweeping and waits for what is being published. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#pending);
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.#log.warn({ err: error }, 'events stay in the outbox for now'))
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** Publishes, and removes what the stream acknowledged. */
  async #publish(events: TautanEvent[]): Promise<void> {
    for (let i = 0; i < events.length; i += PUBLISH_AT_ONCE) {
      const some = events.slice(i, i + PUBLISH_AT_ONCE);
      const results = await Promise.allSettled(some.map((event) => this.#publishOne(event)));
      // Each on its own: one that fails for ever must not make the others be published again and again.
      const published = some.filter((_event, j) => results[j]!.status === 'fulfilled');
      if (published.length) await this.#model.deleteMany({ _id: { $in: published.map(({ id }) => id) } });
      const failure = results.find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    }
  }

  #publishOne(event: TautanEvent): Promise<void> {
    const { id, requestId } = event;
    return this.#bus.publish(eventSubject(event.type), JSON.stringify(event), { id, requestId });
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#sweep()
        .catch((error: unknown) => this.#log.warn({ err: error }, 'events wait in the outbox'))
        .finally(() => this.#schedule());
    }, SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  async #sweep(): Promise<void> {
    while (
      this.#bus.connected &&
      !this.#stopped &&
      this.#connection.readyState === mongoose.ConnectionStates.connected
    ) {
      const createdBefore = new Date(Date.now() - SWEEP_OLDER_THAN_MS);
      const left = await this.#model
        .find({ createdAt: { $lt: createdBefore } })
        .sort({ createdAt: 1 })
        .limit(SWEEP_BATCH)
        .lean();
      if (left.length === 0) return;
      await this.#publish(left.map(({ event }) => event));
    }
  }
}

function compose(by: Principal | null, { type, target, data, changes = {}, workspaceId }: Emission): TautanEvent {
  return parseEvent({
    id: newId('evt'),
    type,
    at: new Date().toISOString(),
    workspaceId: workspaceId ?? by?.workspaceId,
    actor: by ? { type: by.kind, id: by.id, name: by.name } : { type: 'system', id: null, name: 'system' },
    requestId: by?.requestId ?? null,
    ip: by?.ip ?? null,
    userAgent: by?.userAgent ?? null,
    target,
    changes,
    data,
  });
}
