import { inTransaction } from '@tautan/kit/mongo';
import type { ClientSession, Connection, mongo } from 'mongoose';
import type { ClosedDayState } from '../domain/closed-day.js';
import type { PeriodState } from '../domain/period.js';
import type { KeyCountsState } from '../domain/key-counts.js';
import { closingOf, expiryOf } from '../domain/retention.js';
import { dayIdOf, dayOfId, isTallyToClose, quartersOf, tallyId } from '../domain/subject.js';
import type { Dimension, TallyState } from '../domain/tally.js';
import type { Models } from '../../store/models.js';
import type { DaysKept } from './plans.js';

/** Days of subjects, and quarters of an hour of days that are counted together. */
export type PeriodCollection = 'days' | 'quarters';

/**
 * Documents of an answer of the database: about a megabyte of the largest. What is read at once lives until the last of it is
 * added up; less of it dies young, which spares a year's statistics every tenth time a collection of the whole heap.
 */
const AT_ONCE: Record<PeriodCollection, number> = { days: 40, quarters: 400 };
/** Closed days have a few kilobytes each. */
const CLOSED_AT_ONCE = 200;
const DATED_AT_ONCE = 1_000;
const READ_TIMEOUT_MS = 3_000;

/** A period as it lies in the database: the clicks on their own (`rows`, `texts`) or counted together (`tally`). */
interface PeriodDocument {
  _id: string;
  rows?: Uint8Array;
  texts?: string[];
  /** Whose it is: what is kept for how long goes by the workspace's plan. */
  workspaceId: string;
  tally?: Omit<TallyState, 'by'> & { by: Partial<Record<Dimension, KeyCountsState>> };
  /** Beside a tally whose day is closed. Gone when that is written again. */
  closed?: ClosedDayState;
  /** When the tally's day can be closed; absent once it is. */
  closeAt?: Date;
  expireAt: Date;
}

/** A period of a workspace, to be written. */
export interface OwnedPeriod {
  workspaceId: string;
  state: PeriodState;
  /** Of a tally whose day is closed by that. */
  closed?: ClosedDayState;
}

/** Ids of periods: a range, or some. */
type Ids = { $gte: string; $lt: string } | { $in: string[] };

interface StoredPeriod {
  id: string;
  state: PeriodState;
}

/** A day's own document, a closed day, or nothing, where a tally must be read itself. */
interface StoredDay {
  id: string;
  state: PeriodState | { closed: ClosedDayState } | undefined;
}

/** Reads of one snapshot. Periods come in the order of their ids, range by range: each is a scan of the index and no more. */
export interface StatsReader {
  periods(which: PeriodCollection, ranges: Ids[]): AsyncIterable<StoredPeriod>;
  /** Days as they are read fastest: of closed days what they are closed by, and no tallies. */
  days(range: Ids): AsyncIterable<StoredDay>;
}

/** Statistics by period. */
export class StatsStore {
  readonly #collections: Record<PeriodCollection, mongo.Collection<PeriodDocument>>;
  readonly #connection: Connection;

  constructor({ statsDays, statsQuarters }: Pick<Models, 'statsDays' | 'statsQuarters'>) {
    // Straight to the driver throughout: these documents are many, and their form is this file's own.
    this.#collections = { days: statsDays.collection as never, quarters: statsQuarters.collection as never };
    this.#connection = statsDays.db;
  }

  /** Reads periods as they are at one moment: clicks may move from a day's own document to its tally meanwhile. */
  snapshot<T>(work: (read: StatsReader) => Promise<T>): Promise<T> {
    return inTransaction(this.#connection, READ_TIMEOUT_MS, (session) =>
      work({
        periods: (which, ranges) => this.read(which, ranges, session),
        days: (range) => this.#readDays(range, session),
      }),
    );
  }

  /** Those of the periods that there are. */
  async load(which: PeriodCollection, ids: string[], session: ClientSession): Promise<Map<string, PeriodState>> {
    if (ids.length === 0) return new Map();
    const found = await this.#collections[which]
      .find({ _id: { $in: ids } }, { session, promoteBuffers: true })
      .toArray();
    return new Map(found.map((document) => [document._id, stateOf(document)]));
  }

  /** Writes periods as they are given, over those that there are. */
  async save(
    which: PeriodCollection,
    periods: Map<string, OwnedPeriod>,
    daysKept: DaysKept,
    session: ClientSession,
  ): Promise<void> {
    if (periods.size === 0) return;
    const writes = Array.from(periods, ([_id, period]) => ({
      replaceOne: { filter: { _id }, replacement: documentOf(_id, period, daysKept), upsert: true },
    }));
    await this.#collections[which].bulkWrite(writes, { session, ordered: false });
  }

  /** Reads periods inside a transaction; see `StatsReader`. */
  async *read(which: PeriodCollection, ranges: Ids[], session: ClientSession): AsyncIterable<StoredPeriod> {
    const options = { session, promoteBuffers: true, batchSize: AT_ONCE[which] };
    for (const range of ranges) {
      const found = this.#collections[which].find({ _id: range }, options);
      for await (const document of found) yield { id: document._id, state: stateOf(document) };
    }
  }

  async *#readDays(range: Ids, session: ClientSession): AsyncIterable<StoredDay> {
    const options = {
      session,
      promoteBuffers: true,
      batchSize: CLOSED_AT_ONCE,
      projection: { rows: 1, texts: 1, closed: 1 },
    };
    for await (const document of this.#collections.days.find({ _id: range }, options)) {
      const { _id: id, rows, closed } = document;
      yield { id, state: rows ? stateOf(document) : closed && { closed } };
    }
  }

  /** Days that can be closed, at most so many, those that have waited longest first. */
  async daysToClose(now: Date, most: number): Promise<{ id: string; workspaceId: string }[]> {
    const found = this.#collections.days.find(
      { closeAt: { $lte: now } },
      { projection: { workspaceId: 1 }, sort: { closeAt: 1 }, limit: most },
    );
    return found.map(({ _id, workspaceId }) => ({ id: dayIdOf(_id), workspaceId })).toArray();
  }

  /** Begins to close a day: a second transaction that does fails. Returns false when the day is closed already. */
  async beginClosing(day: string, session: ClientSession): Promise<boolean> {
    const filter = { _id: tallyId(day), closeAt: { $exists: true } };
    const { modifiedCount } = await this.#collections.days.updateOne(filter, { $unset: { closeAt: 1 } }, { session });
    return modifiedCount > 0;
  }

  /** Ids of a day of all subjects: a look at every id, for a command alone. */
  async idsOfDay(day: string): Promise<string[]> {
    const found = this.#collections.days.find({ _id: { $regex: `/${day}(/|$)` } }, { projection: { _id: 1 } });
    return [...new Set((await found.toArray()).map(({ _id }) => dayIdOf(_id)))];
  }

  /** Removes days, not their tallies and quarters. */
  async remove(days: string[], session: ClientSession): Promise<void> {
    if (days.length) await this.#collections.days.deleteMany({ _id: { $in: days } }, { session });
  }

  /** Removes the tallies and the quarters of days. */
  async removeParts(days: string[], session: ClientSession): Promise<void> {
    await this.remove(days.map(tallyId), session);
    const writes = days.map((day) => ({ deleteMany: { filter: { _id: quartersOf(day) } } }));
    if (writes.length) await this.#collections.quarters.bulkWrite(writes, { session, ordered: false });
  }

  /** Keeps what is stored of a workspace for at least so many days, unless aborted. Can be repeated. */
  async keep(workspaceId: string, days: number, signal?: AbortSignal): Promise<void> {
    for (const collection of Object.values(this.#collections)) {
      const found = collection.find({ workspaceId }, { projection: { _id: 1 }, batchSize: DATED_AT_ONCE });
      let some: string[] = [];
      const date = async (): Promise<void> => {
        signal?.throwIfAborted();
        const writes = some.map((_id) => ({
          updateOne: { filter: { _id }, update: { $max: { expireAt: expiryOf(dayOfId(_id), days) } } },
        }));
        if (writes.length) await collection.bulkWrite(writes, { ordered: false });
        some = [];
      };
      for await (const { _id } of found) if (some.push(_id) === DATED_AT_ONCE) await date();
      await date();
    }
  }
}

function documentOf(_id: string, { state, closed, workspaceId }: OwnedPeriod, daysKept: DaysKept): PeriodDocument {
  const start = dayOfId(_id);
  const expireAt = expiryOf(start, daysKept(workspaceId));
  if ('log' in state) return { _id, rows: state.log.rows, texts: state.log.texts, workspaceId, expireAt };
  if (closed) return { _id, tally: state.tally, closed, workspaceId, expireAt };
  return { _id, tally: state.tally, workspaceId, ...(isTallyToClose(_id) && { closeAt: closingOf(start) }), expireAt };
}

const stateOf = ({ rows, texts, tally }: PeriodDocument): PeriodState =>
  tally ? { tally } : { log: { rows: rows!, texts: texts! } };
