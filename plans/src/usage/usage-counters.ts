import { driverCollection, inTransaction } from '@tautan/kit/mongo';
import type { LimitName, PlanName, Plans, HardLimitName } from '@tautan/proto/plans';
import type { ClientSession, Connection, Model, mongo } from 'mongoose';
import { planLimitExceeded } from '../plan-limit.js';
import { counterId, expiryOf, monthOf, type CounterKey, type UsageCounter } from './counter.js';

/** A limit that a service counts. */
export interface CountedLimit {
  monthly: boolean;
  /**
   * Counts the existing records in the session's snapshot: all, or for a monthly limit those created in the month. Used
   * to create a counter and to check one.
   */
  count(key: CounterKey, session: ClientSession): Promise<number>;
}

export type CountedLimits = Partial<Record<LimitName, CountedLimit>>;

export interface Reservation {
  workspaceId: string;
  limit: LimitName;
  /** Number to reserve; 0 only ensures that the counter exists. */
  wanted: number;
  /** The limit; null for unlimited. */
  max: number | null;
  /** Creation time of the records. A monthly limit counts the records in the month of this time. */
  at: Date;
}

const TRANSACTION_TIMEOUT_MS = 2_500;

/**
 * Counts the usage of plan limits. Use cases reserve usage in the transaction that creates the record, so that the
 * counter always equals the number of records and a limit holds across replicas: the first transaction to write a
 * counter wins, and concurrent ones are retried. For a monthly limit, the records are those created in the month, even
 * if deleted since. Within a process, use cases must create the records of a workspace one after another
 * (`KeyedMutex`), so that only replicas compete.
 */
export class UsageCounters {
  readonly #collection: mongo.Collection<UsageCounter>;

  constructor(
    model: Model<UsageCounter>,
    private readonly connection: Connection,
    readonly limits: CountedLimits,
  ) {
    this.#collection = driverCollection(model);
  }

  /**
   * Reserves up to `wanted`. Returns the number granted and, if it is lower than `wanted` or the counter was created,
   * the usage.
   */
  async reserve(
    session: ClientSession,
    { wanted, max, at, ...counted }: Reservation,
  ): Promise<{ granted: number; used?: number }> {
    const key = this.#keyAt(counted, at);
    const _id = counterId(key);
    const fits = max === null ? {} : { used: { $lte: max - wanted } };
    const { matchedCount } = await this.#collection.updateOne(
      { _id, ...fits },
      { $inc: { used: wanted } },
      { session },
    );
    if (matchedCount === 1) return { granted: wanted };
    const known = await this.#collection.findOne({ _id }, { session });
    const before = known ? known.used : await this.#actual(key, 0, session);
    const granted = max === null ? wanted : Math.max(0, Math.min(wanted, max - before));
    if (!known) await this.#insert(key, before + granted, session);
    else if (granted > 0) await this.#collection.updateOne({ _id }, { $inc: { used: granted } }, { session });
    return { granted, used: before + granted };
  }

  /**
   * Throws PLAN_LIMIT_EXCEEDED if a limit is already reached, at the cost of one read instead of a transaction. The
   * caller must still reserve.
   */
  async assertRoom(
    plans: Plans,
    { plan, limit, at, workspaceId }: { workspaceId: string; limit: HardLimitName; plan: PlanName; at: Date },
  ): Promise<void> {
    const max = plans[plan].limits[limit];
    if (max === null) return;
    const counter = await this.#collection.findOne({
      _id: counterId(this.#keyAt({ workspaceId, limit }, at)),
    });
    const used = counter?.used ?? 0;
    if (used >= max) throw planLimitExceeded(limit, { plan, max, used });
  }

  /** Reserves one item that counts toward a limit of the plan. Throws PLAN_LIMIT_EXCEEDED if the limit is reached. */
  async reserveOne(
    session: ClientSession,
    plans: Plans,
    { plan, limit, ...rest }: { workspaceId: string; limit: HardLimitName; plan: PlanName; at: Date },
  ): Promise<void> {
    const max = plans[plan].limits[limit];
    const { granted, used } = await this.reserve(session, { ...rest, limit, wanted: 1, max });
    if (granted === 0) throw planLimitExceeded(limit, { plan, max: max!, used: used! });
  }

  /**
   * Subtracts deleted records from the usage; call it after the deletion, in its transaction. The usage of a monthly
   * limit is not reduced; the deletion is recorded in the counter of the month of `at`, the creation time of the
   * records.
   */
  async release(
    session: ClientSession,
    { count, at, ...counted }: { workspaceId: string; limit: LimitName; count: number; at: Date },
  ): Promise<void> {
    const key = this.#keyAt(counted, at);
    const _id = counterId(key);
    const $inc = key.month === undefined ? { used: -count } : { deleted: count };
    const { matchedCount } = await this.#collection.updateOne({ _id }, { $inc }, { session });
    if (matchedCount === 1) return;
    // Without this write, a concurrent transaction that creates the counter would miss the deletion.
    const deleted = key.month === undefined ? 0 : count;
    await this.#insert(key, await this.#actual(key, deleted, session), session, deleted);
  }

  /** Returns the usage of every counted limit; of a monthly limit, in the month of `at`. Creates missing counters. */
  async read(workspaceId: string, at: Date): Promise<Partial<Record<LimitName, number>>> {
    const limits = Object.keys(this.limits) as LimitName[];
    const ids = limits.map((limit) => counterId(this.#keyAt({ workspaceId, limit }, at)));
    const rows = await this.#collection.find({ _id: { $in: ids } }).toArray();
    const found = new Map(rows.map(({ _id, used }) => [_id, used]));
    const entries = limits.map(
      async (limit, i) => [limit, found.get(ids[i]!) ?? (await this.#initialize(workspaceId, limit, at))] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  /**
   * Compares a counter with the existing records, in one snapshot, so that concurrent creations do not matter. Returns
   * the excess of the counter (negative: too low). With `repair`, also corrects the counter.
   */
  drift(key: CounterKey, repair = false): Promise<number> {
    return inTransaction(this.connection, TRANSACTION_TIMEOUT_MS, async (session) => {
      const _id = counterId(key);
      const counter = await this.#collection.findOne({ _id }, { session });
      if (!counter) return 0;
      const actual = await this.#actual(key, counter.deleted ?? 0, session);
      const drift = counter.used - actual;
      if (drift !== 0 && repair) await this.#collection.updateOne({ _id }, { $set: { used: actual } }, { session });
      return drift;
    });
  }

  /**
   * Returns up to `limit` counter ids that are greater than `after`, in ascending order. With `workspaceId`, returns
   * only those of this workspace.
   */
  async ids({
    after = '',
    workspaceId,
    limit,
  }: {
    after?: string;
    workspaceId?: string | undefined;
    limit: number;
  }): Promise<string[]> {
    // Counter ids begin with the workspace id and a slash. In ASCII, `0` directly follows the slash.
    const ofWorkspace = workspaceId === undefined ? {} : { $gt: `${workspaceId}/`, $lt: `${workspaceId}0` };
    const range = after === '' ? ofWorkspace : { ...ofWorkspace, $gt: after };
    const filter = Object.keys(range).length === 0 ? {} : { _id: range };
    const rows = await this.#collection.find(filter, { projection: { _id: 1 }, sort: { _id: 1 }, limit }).toArray();
    return rows.map(({ _id }) => _id);
  }

  #keyAt({ workspaceId, limit }: { workspaceId: string; limit: LimitName }, at: Date): CounterKey {
    return { workspaceId, limit, month: this.limits[limit]!.monthly ? monthOf(at) : undefined };
  }

  async #actual(key: CounterKey, deleted: number, session: ClientSession): Promise<number> {
    return (await this.limits[key.limit]!.count(key, session)) + deleted;
  }

  async #insert(key: CounterKey, used: number, session: ClientSession, deleted = 0): Promise<void> {
    const { month } = key;
    const ofMonth = month === undefined ? {} : { deleted, expireAt: expiryOf(month) };
    await this.#collection.insertOne({ _id: counterId(key), used, ...ofMonth }, { session });
  }

  async #initialize(workspaceId: string, limit: LimitName, at: Date): Promise<number> {
    const { used } = await inTransaction(this.connection, TRANSACTION_TIMEOUT_MS, (session) =>
      this.reserve(session, { workspaceId, limit, wanted: 0, max: null, at }),
    );
    return used ?? (await this.read(workspaceId, at))[limit]!;
  }
}
