import { setTimeout as pause } from 'node:timers/promises';
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
import { databaseGauge, gauge, type Registry } from '../metrics.js';
import type { Operator, Principal } from '../principal.js';
import { inTrace, traceparent } from '../telemetry.js';
import { makeCollections } from './collections.js';
import { inTransaction } from './transaction.js';

/** One event to tell, inside a transaction. */
export interface Emission<T extends EventType = EventType> {
  /** Id of the event, where an operation that may be repeated determines it. */
  id?: string;
  type: T;
  target: { type: string; id: string; label: string };
  data: EventData<T>;
  changes?: Changes;
  /** The workspace, where there is no principal (the system's own changes). */
  workspaceId?: string;
  /** Version of the target's state, for consumers that keep a copy of it. */
  version?: number;
  /** The principal of this event, where one transaction serves several. */
  by?: Principal;
}

/** The transaction that a use case writes in. */
export interface Transaction {
  session: ClientSession;
  /** Answers the event as it will be told once the transaction is committed. */
  emit<T extends EventType>(emission: Emission<T>): TautanEvent;
}

/**
 * Runs work in a transaction and publishes its events after the commit. May run `work` more than once. Throws TIMEOUT when
 * `signal` is aborted before the commit; then nothing was applied.
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
const SWEEP_EVERY_MS = 1_000;
const SWEEP_OLDER_THAN_MS = 2_000;
const SWEEP_BATCH = 500;
const PUBLISH_AT_ONCE = 64;
/** Time that published events wait for others to be deleted with them. */
const REMOVE_AFTER_MS = 20;

const schema = new Schema<Stored>(
  { _id: String, event: Object, traceparent: String, createdAt: Date },
  { versionKey: false, minimize: false },
);
schema.index({ createdAt: 1 });

/** The collection of the outbox, on a connection. */
export const outboxModel = (connection: Connection): Model<Stored> =>
  connection.model<Stored>('outbox', schema, 'outbox');

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
  /** Ids that wait to be deleted. */
  readonly #published: string[] = [];
  #removing: Promise<void> | undefined;
  /** Events dated in the future, and when this process first saw each, by `performance.now()`. */
  #ahead = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor({ connection, bus, log, registry }: { connection: Connection; bus: Bus; log: Log; registry: Registry }) {
    this.#connection = connection;
    this.#bus = bus;
    this.#log = log;
    this.#model = outboxModel(connection);
    this.#meter(registry);
    this.#schedule();
  }

  /** Makes the collection and its index. */
  async prepare(): Promise<void> {
    await makeCollections({ outbox: this.#model });
  }

  transact: Transact = async (by, work, signal) => {
    let entries: Entry[] = [];
    const write = async (session: ClientSession) => {
      entries = [];
      const outcome = await work({
        session,
        emit: (emission) => {
          const author = emission.by ?? by;
          const event = compose(author, emission);
          entries.push({ event, ...traceOf(author) });
          return event;
        },
      });
      const createdAt = new Date();
      const rows = entries.map((entry) => ({ _id: entry.event.id, ...entry, createdAt }));
      // Straight to the driver: the events are already checked against their catalogue.
      if (rows.length) await this.#model.collection.insertMany(rows as never[], { session });
      return outcome;
    };
    const result = await inTransaction(this.#connection, TRANSACTION_TIMEOUT_MS, write, signal);
    if (entries.length && this.#bus.connected) this.#track(this.#publish(entries));
    return result;
  };

  /** Stops sweeping and waits for what is being published. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled(this.#pending);
  }

  #meter(registry: Registry): void {
    gauge(registry, 'tautan_outbox_batches_in_flight', 'Batches of events on their way to the stream', () => this.#pending.size); // prettier-ignore
    const ready = () => this.#connection.readyState === mongoose.ConnectionStates.connected;
    databaseGauge(registry, { name: 'tautan_outbox_events', help: 'Events that the stream does not have yet', ready }, () => this.#model.estimatedDocumentCount()); // prettier-ignore
    const age = { name: 'tautan_outbox_oldest_event_age_seconds', help: 'Age of the oldest event that the stream does not have yet', ready }; // prettier-ignore
    databaseGauge(registry, age, async () => {
      const oldest = await this.#model.findOne().sort({ createdAt: 1 }).select({ createdAt: 1 }).lean();
      return oldest ? Math.max(0, Date.now() - oldest.createdAt.getTime()) / 1_000 : 0;
    });
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.#log.warn({ err: error }, 'events stay in the outbox for now'))
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** Publishes, and removes what the stream acknowledged. */
  async #publish(entries: Entry[]): Promise<void> {
    for (let i = 0; i < entries.length; i += PUBLISH_AT_ONCE) {
      const some = entries.slice(i, i + PUBLISH_AT_ONCE);
      const results = await Promise.allSettled(some.map((entry) => this.#publishOne(entry)));
      // Each on its own: one that fails for ever must not make the others be published again and again.
      const published = some.filter((_entry, j) => results[j]!.status === 'fulfilled');
      if (published.length) await this.#remove(published.map(({ event }) => event.id));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    }
  }

  /** Deletes published events, those of several transactions together. */
  #remove(ids: string[]): Promise<void> {
    // Of several transactions, so in the trace of none.
    this.#removing ??= inTrace(undefined, () => this.#removeSoon());
    this.#published.push(...ids);
    return this.#removing;
  }

  async #removeSoon(): Promise<void> {
    await pause(REMOVE_AFTER_MS);
    this.#removing = undefined;
    await this.#model.collection.deleteMany({ _id: { $in: this.#published.splice(0) as never[] } });
  }

  #publishOne({ event, traceparent: trace }: Entry): Promise<void> {
    const { id, requestId } = event;
    const traces = trace === undefined ? [] : [trace];
    return this.#bus.publish(eventSubject(event.type), JSON.stringify(event), { id, requestId, traces });
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
      if (left.length === 0) return this.#sweepAhead();
      await this.#publish(left);
    }
  }

  /** Publishes what a process whose clock was ahead of this one's left behind, long before the date of the events. */
  async #sweepAhead(): Promise<void> {
    const ahead = await this.#model
      .find({ createdAt: { $gt: new Date(Date.now() + SWEEP_OLDER_THAN_MS) } })
      .sort({ createdAt: 1 })
      .limit(SWEEP_BATCH)
      .lean();
    const at = performance.now();
    this.#ahead = new Map(ahead.map(({ _id }) => [_id, this.#ahead.get(_id) ?? at]));
    const left = ahead.filter(({ _id }) => at - this.#ahead.get(_id)! >= SWEEP_OLDER_THAN_MS);
    if (left.length > 0) await this.#publish(left);
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

/** The trace of an event: several requests may share the transaction that runs now. */
function traceOf(by: Principal | Operator | null): Pick<Entry, 'traceparent'> {
  const trace = (by?.kind === 'operator' ? undefined : by?.traceparent) ?? traceparent();
  return trace === undefined ? {} : { traceparent: trace };
}

/** Who causes an event, and from where. The operator is the system under a name of its own. */
function originOf(by: Principal | Operator | null) {
  if (by && by.kind !== 'operator') {
    const { workspaceId, kind: type, id, name, requestId, ip, userAgent } = by;
    return { workspaceId, actor: { type, id, name }, requestId, ip, userAgent };
  }
  const actor = { type: 'system', id: null, name: by ? 'operator' : 'system' };
  return { actor, requestId: by?.requestId ?? null, ip: null, userAgent: null };
}
