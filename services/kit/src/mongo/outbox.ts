import mongoose, { type ClientSession, type Connection, type Model } from 'mongoose';
import {
  eventSubject,
  parseEvent,
  type Changes,
  type EventData,
  type EventType,
  type TautanEvent,
} from '@tautan/proto';
import type { Bus } from '../bus/index.js';
import { sleep } from '../async/time.js';
import { newId } from '../values/ids.js';
import type { Log } from '../telemetry/log.js';
import { databaseGauge, gauge, type Registry } from '../telemetry/metrics.js';
import type { Operator, Principal } from '../principal.js';
import { inTrace, traceparent } from '../telemetry/telemetry.js';
import { createCollections, strictSchema } from './collections.js';
import { driverCollection } from './driver-collection.js';
import { inTransaction } from './transaction.js';

/** An event to emit within a transaction. */
export interface Emission<T extends EventType = EventType> {
  /** Id of the event, if it is derived from a retryable operation. */
  id?: string;
  type: T;
  target: { type: string; id: string; label: string };
  data: EventData<T>;
  changes?: Changes;
  /** The workspace, for changes by the system, which have no principal. */
  workspaceId?: string;
  /** Version of the target, for consumers that keep a copy of it. */
  version?: number;
  /** The principal of this event, if it differs from that of the transaction. Null for the system. */
  by?: Principal | null;
}

/** The transaction of a use case. */
export interface Transaction {
  session: ClientSession;
  /** Returns the event as it will be published after the commit. */
  emit<T extends EventType>(emission: Emission<T>): TautanEvent;
}

/**
 * Runs work in a transaction and publishes its events after the commit. May run `work` more than once. If `signal` is
 * aborted before the commit, throws TIMEOUT and applies nothing.
 */
export type Transact = <T>(
  by: Principal | Operator | null,
  work: (tx: Transaction) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

interface Stored {
  _id: string;
  event: TautanEvent;
  /** The trace that the event belongs to (W3C traceparent). */
  traceparent?: string;
  createdAt: Date;
}

type Entry = Pick<Stored, 'event' | 'traceparent'>;

const TRANSACTION_TIMEOUT_MS = 2_500;
/** Intervals between sweeps: normally, and after a start, a reconnect or a failure. */
const SWEEP_EVERY_MS = 10_000;
const FREQUENT_SWEEP_EVERY_MS = 1_000;
/** Duration of the period with the shorter interval, milliseconds. */
const FREQUENT_SWEEPS_MS = 10_000;
/** Minimum age of the events that a sweep publishes, milliseconds. */
const SWEEP_OLDER_THAN_MS = 2_000;
const SWEEP_BATCH = 500;
const PUBLISH_BATCH = 64;
/**
 * Delay before published events are deleted in a batch. Far below `SWEEP_OLDER_THAN_MS`, so that no sweep republishes
 * them before they are deleted.
 */
const REMOVE_AFTER_MS = 200;

const schema = strictSchema<Stored>({ _id: String, event: Object, traceparent: String, createdAt: Date });
schema.index({ createdAt: 1 });

/** Returns the model of the outbox on a connection. */
export const outboxModel = (connection: Connection): Model<Stored> =>
  connection.model<Stored>('outbox', schema, 'outbox');

/**
 * The transactional outbox: events are written in the transaction that changes the state, published to JetStream after
 * the commit, and deleted once acknowledged. The sweeper publishes events left by a crash or an unavailable bus. An
 * event that is published twice has the same message id, by which it is recognized as a duplicate.
 */
export class Outbox {
  readonly #model: Model<Stored>;
  readonly #connection: Connection;
  readonly #bus: Bus;
  readonly #log: Log;
  readonly #pending = new Set<Promise<unknown>>();
  /** Ids of published events to delete. */
  readonly #published: string[] = [];
  #removing: Promise<void> | undefined;
  /** Ids of events dated in the future, and when this process first saw each, by `performance.now()`. */
  #ahead = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  /** When the next sweep is due, by `performance.now()`. */
  #dueAt = Infinity;
  /** End of the period with the shorter interval, by `performance.now()`. */
  #sweepOftenUntil = 0;
  #sweeping: Promise<void> | undefined;
  readonly #stopListening: () => void;
  #stopped = false;

  constructor({ connection, bus, log, registry }: { connection: Connection; bus: Bus; log: Log; registry: Registry }) {
    this.#connection = connection;
    this.#bus = bus;
    this.#log = log;
    this.#model = outboxModel(connection);
    this.#meter(registry);
    this.#stopListening = bus.onChange(() => this.#sweepSoon());
  }

  /** Creates the collection and its index. */
  async prepare(): Promise<void> {
    await createCollections({ outbox: this.#model });
  }

  transact: Transact = async (by, work, signal) => {
    let entries: Entry[] = [];
    const write = async (session: ClientSession) => {
      entries = [];
      const outcome = await work({
        session,
        emit: (emission) => {
          const author = emission.by === undefined ? by : emission.by;
          const event = compose(author, emission);
          entries.push({ event, ...traceOf(author) });
          return event;
        },
      });
      const createdAt = new Date();
      const rows = entries.map((entry) => ({ _id: entry.event.id, ...entry, createdAt }));
      // Bypasses mongoose: the events are already validated against the event catalog.
      if (rows.length) await driverCollection(this.#model).insertMany(rows, { session });
      return outcome;
    };
    const result = await inTransaction(this.#connection, TRANSACTION_TIMEOUT_MS, write, signal).catch(
      (error: unknown) => {
        // The transaction may have been committed nevertheless.
        if (entries.length) this.#sweepSoon();
        throw error;
      },
    );
    if (entries.length && this.#bus.connected) this.#track(this.#publish(entries));
    return result;
  };

  /** Stops sweeping, and waits for the sweep and the publishes in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await Promise.allSettled([...this.#pending, this.#sweeping]);
  }

  #meter(registry: Registry): void {
    gauge(
      registry,
      'tautan_outbox_batches_in_flight',
      'Batches of events being published to the stream',
      () => this.#pending.size,
    );
    const ready = () => this.#connection.readyState === mongoose.ConnectionStates.connected;
    databaseGauge(
      registry,
      { name: 'tautan_outbox_events', help: 'Events that are not published to the stream yet', ready },
      () => this.#model.estimatedDocumentCount(),
    );
    const age = {
      name: 'tautan_outbox_oldest_event_age_seconds',
      help: 'Age of the oldest event that is not published to the stream yet',
      ready,
    };
    databaseGauge(registry, age, async () => {
      const oldest = await this.#model.findOne().sort({ createdAt: 1 }).select({ createdAt: 1 }).lean();
      return oldest ? Math.max(0, Date.now() - oldest.createdAt.getTime()) / 1_000 : 0;
    });
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => {
        this.#log.warn({ err: error }, 'publishing failed; the events remain in the outbox');
        this.#sweepSoon();
      })
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** Publishes events and deletes those that the stream acknowledged. */
  async #publish(entries: Entry[]): Promise<void> {
    let failure: PromiseRejectedResult | undefined;
    for (let i = 0; i < entries.length; i += PUBLISH_BATCH) {
      const some = entries.slice(i, i + PUBLISH_BATCH);
      const results = await Promise.allSettled(some.map((entry) => this.#publishOne(entry)));
      // Settled individually: an event that always fails must not cause the others to be republished.
      const published = some.filter((_entry, j) => results[j]!.status === 'fulfilled');
      if (published.length) await this.#remove(published.map(({ event }) => event.id));
      failure ??= results.find((result) => result.status === 'rejected');
      // If none could be published, the stream is unavailable.
      if (published.length === 0) break;
    }
    if (failure) throw failure.reason;
  }

  /** Deletes published events. Those of several transactions are deleted in one operation. */
  #remove(ids: string[]): Promise<void> {
    // Not traced, because it covers several transactions.
    this.#removing ??= inTrace(undefined, () => this.#removeSoon());
    this.#published.push(...ids);
    return this.#removing;
  }

  async #removeSoon(): Promise<void> {
    await sleep(REMOVE_AFTER_MS);
    this.#removing = undefined;
    await driverCollection(this.#model).deleteMany({ _id: { $in: this.#published.splice(0) } });
  }

  #publishOne({ event, traceparent: trace }: Entry): Promise<void> {
    const { id, requestId } = event;
    const traces = trace === undefined ? [] : [trace];
    return this.#bus.publish(eventSubject(event.type), JSON.stringify(event), { id, requestId, traces });
  }

  /** Brings the next sweep forward, and never postpones it: the reasons for a sweep may follow each other quickly. */
  #sweepSoon(): void {
    const now = performance.now();
    this.#sweepOftenUntil = now + FREQUENT_SWEEPS_MS;
    if (!this.#sweeping && this.#dueAt > now + FREQUENT_SWEEP_EVERY_MS) this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const everyMs = performance.now() < this.#sweepOftenUntil ? FREQUENT_SWEEP_EVERY_MS : SWEEP_EVERY_MS;
    this.#dueAt = performance.now() + everyMs;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep()
        .catch((error: unknown) => {
          this.#log.warn({ err: error }, 'sweeping the outbox failed');
          this.#sweepOftenUntil = performance.now() + FREQUENT_SWEEPS_MS;
        })
        .finally(() => {
          this.#sweeping = undefined;
          this.#schedule();
        });
    }, everyMs);
    this.#timer.unref();
  }

  async #sweep(): Promise<void> {
    while (
      this.#bus.connected &&
      !this.#stopped &&
      this.#connection.readyState === mongoose.ConnectionStates.connected
    ) {
      const left = await this.#unpublished();
      if (left.length === 0) return;
      await this.#publish(left);
    }
  }

  /**
   * Returns events that a crash or an unavailable bus left in the outbox, once they are `SWEEP_OLDER_THAN_MS` old. If
   * an event is dated in the future, because the clock of another process was ahead, its age is measured from when this
   * process first read it.
   */
  async #unpublished(): Promise<Stored[]> {
    const now = Date.now();
    const [before, after] = [-1, 1].map((sign) => new Date(now + sign * SWEEP_OLDER_THAN_MS));
    const found = await this.#model
      .find({ $or: [{ createdAt: { $lt: before } }, { createdAt: { $gt: after } }] })
      .sort({ createdAt: 1 })
      .limit(SWEEP_BATCH)
      .lean();
    const at = performance.now();
    const ahead = found.filter(({ createdAt }) => createdAt > after!);
    this.#ahead = new Map(ahead.map(({ _id }) => [_id, this.#ahead.get(_id) ?? at]));
    return found.filter(({ _id }) => at - (this.#ahead.get(_id) ?? -Infinity) >= SWEEP_OLDER_THAN_MS);
  }
}

function compose(
  by: Principal | Operator | null,
  { id = newId('evt'), type, target, data, changes = {}, workspaceId, version }: Emission,
): TautanEvent {
  return parseEvent({
    id,
    type,
    at: new Date().toISOString(),
    ...originOf(by),
    ...(workspaceId !== undefined && { workspaceId }),
    ...(version !== undefined && { version }),
    target,
    changes,
    data,
  });
}

/** Returns the trace of an event: that of its author, because several requests may share the current transaction. */
function traceOf(by: Principal | Operator | null): Pick<Entry, 'traceparent'> {
  const trace = (by?.kind === 'operator' ? undefined : by?.traceparent) ?? traceparent();
  return trace === undefined ? {} : { traceparent: trace };
}

/** Returns the actor and request that an event is attributed to. The operator is a system actor with its own name. */
function originOf(by: Principal | Operator | null) {
  if (by && by.kind !== 'operator') {
    const { workspaceId, kind: type, id, name, requestId, ip, userAgent } = by;
    return { workspaceId, actor: { type, id, name }, requestId, ip, userAgent };
  }
  const actor = { type: 'system', id: null, name: by ? 'operator' : 'system' };
  return { actor, requestId: by?.requestId ?? null, ip: null, userAgent: null };
}
