import { inTransaction, readAhead } from '@tautan/kit/mongo';
import type { ClientSession, Connection, mongo } from 'mongoose';
import type { ClosedDayState } from '../domain/closed-day.js';
import type { PeriodState } from '../domain/period.js';
import type { KeyCountsState } from '../domain/key-counts.js';
import { closingOf, expiryOf } from '../domain/retention.js';
import { dayIdOf, dayStartOf, isTallyToClose, quartersOf, tallyId } from '../domain/subject.js';
import type { Dimension, TallyState } from '../domain/tally.js';
import type { Models } from '../../store/models.js';
import type { RetentionDaysOf } from './plans.js';

/** The collection of days and tallies, or that of quarter hours. */
export type PeriodCollection = 'days' | 'quarters';

/**
 * Documents per batch of the database cursor. Small batches are freed in the young generation of the heap, which avoids
 * one full garbage collection in every ten requests for a year's statistics.
 */
const CURSOR_BATCH: Record<PeriodCollection, number> = { days: 40, quarters: 400 };
/** Documents per batch when reading closed days, which have a few KB each. */
const CLOSED_BATCH = 200;
const EXPIRY_BATCH = 1_000;
const READ_TIMEOUT_MS = 3_000;

/** A stored period: individual clicks (`rows`, `texts`) or a `tally`. */
interface PeriodDocument {
  _id: string;
  rows?: Uint8Array;
  texts?: string[];
  /** The owner, whose plan determines the retention. */
  workspaceId: string;
  tally?: Omit<TallyState, 'by'> & { by: Partial<Record<Dimension, KeyCountsState>> };
  /** Present with the tally of a closed day. Removed when the tally is written again. */
  closed?: ClosedDayState;
  /** Time after which the tally's day can be closed; absent once it is closed. */
  closeAt?: Date;
  expireAt: Date;
}

/** A period to write, with its workspace. */
export interface OwnedPeriod {
  workspaceId: string;
  state: PeriodState;
  /** Set if the write closes the tally's day. */
  closed?: ClosedDayState;
}

/** Ids of periods: a range, or a list. */
type Ids = { $gte: string; $lt: string } | { $in: string[] };

interface StoredPeriod {
  id: string;
  state: PeriodState;
}

interface StoredDay {
  /** Id of a day or of its tally. */
  id: string;
  /**
   * The clicks in a day's own document, the summary of a closed day, or undefined for a tally that must be read
   * separately.
   */
  state: PeriodState | { closed: ClosedDayState } | undefined;
}

/**
 * Reads from one snapshot. Periods are returned in the order of their ids, range by range; each range is one index
 * scan.
 */
export interface StatsReader {
  periods(which: PeriodCollection, ranges: Ids[]): AsyncIterable<StoredPeriod>;
  /** Yields days in the format that is fastest to read: closed days without their tallies. */
  days(range: Ids): AsyncIterable<StoredDay>;
}

/** Statistics by period. */
export class StatsStore {
  readonly #collections: Record<PeriodCollection, mongo.Collection<PeriodDocument>>;
  readonly #connection: Connection;

  constructor({ statsDays, statsQuarters }: Pick<Models, 'statsDays' | 'statsQuarters'>) {
    // Uses the driver directly, because there are many of these documents and only this file defines their format.
    this.#collections = { days: periodsOf(statsDays), quarters: periodsOf(statsQuarters) };
    this.#connection = statsDays.db;
  }

  /**
   * Reads periods from one snapshot, because clicks move from a day's own document to its tally. Stops reading and
   * rejects with TIMEOUT once `signal` is aborted.
   */
  snapshot<T>(work: (read: StatsReader) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const read = (session: ClientSession): Promise<T> =>
      work({
        periods: (which, ranges) => this.read(which, ranges, session, signal),
        days: (range) => this.#readDays(range, session, signal),
      });
    return inTransaction(this.#connection, READ_TIMEOUT_MS, read, signal);
  }

  /** Returns those of the periods that exist, by id. */
  async load(which: PeriodCollection, ids: string[], session: ClientSession): Promise<Map<string, PeriodState>> {
    if (ids.length === 0) return new Map();
    const found = await this.#collections[which]
      .find({ _id: { $in: ids } }, { session, promoteBuffers: true })
      .toArray();
    return new Map(found.map((document) => [document._id, stateOf(document)]));
  }

  /** Writes periods, replacing existing ones. */
  async save(
    which: PeriodCollection,
    periods: Map<string, OwnedPeriod>,
    retentionDays: RetentionDaysOf,
    session: ClientSession,
  ): Promise<void> {
    if (periods.size === 0) return;
    const writes = Array.from(periods, ([_id, period]) => ({
      replaceOne: { filter: { _id }, replacement: documentOf(_id, period, retentionDays), upsert: true },
    }));
    await this.#collections[which].bulkWrite(writes, { session, ordered: false });
  }

  /** Reads periods within a transaction; see `StatsReader`. */
  async *read(
    which: PeriodCollection,
    ranges: Ids[],
    session: ClientSession,
    signal?: AbortSignal,
  ): AsyncIterable<StoredPeriod> {
    const options = { session, promoteBuffers: true, batchSize: CURSOR_BATCH[which] };
    for (const range of ranges) {
      const found = this.#collections[which].find({ _id: range }, options);
      for await (const document of found) {
        if (signal?.aborted) return; // The transaction then rejects with TIMEOUT.
        yield { id: document._id, state: stateOf(document) };
      }
    }
  }

  async *#readDays(range: Ids, session: ClientSession, signal?: AbortSignal): AsyncIterable<StoredDay> {
    const options = {
      session,
      promoteBuffers: true,
      batchSize: CLOSED_BATCH,
      projection: { rows: 1, texts: 1, closed: 1 },
    };
    for await (const batch of readAhead(this.#collections.days.find({ _id: range }, options))) {
      for (const document of batch) {
        if (signal?.aborted) return; // The transaction then rejects with TIMEOUT.
        const { _id: id, rows, closed } = document;
        yield { id, state: rows ? stateOf(document) : closed && { closed } };
      }
    }
  }

  /** Returns up to `limit` days that can be closed, the longest overdue first. */
  async daysToClose(now: Date, limit: number): Promise<{ id: string; workspaceId: string }[]> {
    const found = this.#collections.days.find(
      { closeAt: { $lte: now } },
      { projection: { workspaceId: 1 }, sort: { closeAt: 1 }, limit },
    );
    return found.map(({ _id, workspaceId }) => ({ id: dayIdOf(_id), workspaceId })).toArray();
  }

  /**
   * Marks a day as closed; a concurrent transaction that does the same fails. Returns false if it is already closed.
   */
  async beginClosing(day: string, session: ClientSession): Promise<boolean> {
    const filter = { _id: tallyId(day), closeAt: { $exists: true } };
    const { modifiedCount } = await this.#collections.days.updateOne(filter, { $unset: { closeAt: 1 } }, { session });
    return modifiedCount > 0;
  }

  /** Returns the ids of the days of all subjects on a date. Scans every id, so use it only in operator commands. */
  async idsOfDay(day: string): Promise<string[]> {
    const found = this.#collections.days.find({ _id: { $regex: `/${day}(/|$)` } }, { projection: { _id: 1 } });
    return [...new Set((await found.toArray()).map(({ _id }) => dayIdOf(_id)))];
  }

  /** Removes days, but not their tallies and quarter hours. */
  async remove(days: string[], session: ClientSession): Promise<void> {
    if (days.length) await this.#collections.days.deleteMany({ _id: { $in: days } }, { session });
  }

  /** Removes the tallies and quarter hours of days. */
  async removeParts(days: string[], session: ClientSession): Promise<void> {
    await this.remove(days.map(tallyId), session);
    const writes = days.map((day) => ({ deleteMany: { filter: { _id: quartersOf(day) } } }));
    if (writes.length) await this.#collections.quarters.bulkWrite(writes, { session, ordered: false });
  }

  /**
   * Extends the expiry of the statistics of each day of a workspace to at least `days` days after the end of that day.
   * Idempotent. If `signal` is aborted, throws between batches.
   */
  async extendRetention(workspaceId: string, days: number, signal?: AbortSignal): Promise<void> {
    for (const collection of Object.values(this.#collections)) {
      const found = collection.find({ workspaceId }, { projection: { _id: 1 }, batchSize: EXPIRY_BATCH });
      let batch: string[] = [];
      const extend = async (): Promise<void> => {
        signal?.throwIfAborted();
        const writes = batch.map((_id) => ({
          updateOne: { filter: { _id }, update: { $max: { expireAt: expiryOf(dayStartOf(_id), days) } } },
        }));
        if (writes.length) await collection.bulkWrite(writes, { ordered: false });
        batch = [];
      };
      for await (const { _id } of found) if (batch.push(_id) === EXPIRY_BATCH) await extend();
      await extend();
    }
  }
}

const periodsOf = (model: Models['statsDays']): mongo.Collection<PeriodDocument> =>
  model.collection as unknown as mongo.Collection<PeriodDocument>;

function documentOf(
  _id: string,
  { state, closed, workspaceId }: OwnedPeriod,
  retentionDays: RetentionDaysOf,
): PeriodDocument {
  const start = dayStartOf(_id);
  const expireAt = expiryOf(start, retentionDays(workspaceId));
  if ('log' in state) return { _id, rows: state.log.rows, texts: state.log.texts, workspaceId, expireAt };
  if (closed) return { _id, tally: state.tally, closed, workspaceId, expireAt };
  return { _id, tally: state.tally, workspaceId, ...(isTallyToClose(_id) && { closeAt: closingOf(start) }), expireAt };
}

const stateOf = ({ rows, texts, tally }: PeriodDocument): PeriodState =>
  tally ? { tally } : { log: { rows: rows!, texts: texts! } };
