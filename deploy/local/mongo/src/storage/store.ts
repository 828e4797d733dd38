import { join } from 'node:path';
import { AppendLog } from '@tautan/append-log';
import { MongoError } from '../language/errors.js';
import type { RawDoc } from '../bson/raw.js';
import { Catalog, creation, indexAddition, rawChange, type CatalogChange } from './catalog.js';
import type { Collection, CollectionOptions, Timeline } from './collection.js';
import type { IndexSpec } from './collection-index.js';
import { snapshotRecords } from './compaction.js';
import { Entry, LogBatch } from './log-batch.js';
import { type DocRecord, type View } from './record.js';
import { Recovery, type UnbuildableIndex } from './recovery.js';
import type { DiskReserve } from './disk-reserve.js';
import { Blocked, Unit } from './unit.js';

/** What the log keeps beside documents: the sessions' retryable writes. */
export interface SessionLog {
  replay(raw: RawDoc): void;
  /** What must be in the log so that `replay` of it gives the present state. */
  entries(): Iterable<RawDoc>;
}

const compactAbove = 64 * 1024 * 1024;
/** Bytes that an entry of the log takes beside its document. */
const entryOverhead = 5;
/** Most bytes that one record of the log, and so one transaction, may have. */
const maxRecordBytes = 512 * 1024 * 1024;

/** All collections, and the log that makes them last. */
export class Store implements Timeline {
  readonly catalog: Catalog = new Catalog(this);
  #log!: AppendLog;
  #clock = 1;
  #recordIds = 0;
  #readers = new Set<View>();
  #prunable: { collection: Collection; record: DocRecord; ts: number }[] = [];
  #compacting: Promise<void> | undefined;
  #compactAbove = compactAbove;
  readonly #closing = new AbortController();
  /** The last record handed to the log. */
  #durable: Promise<void> = Promise.resolve();
  /** Called once when the log can no longer be written: nothing can be acknowledged from then on. */
  onFailure: (error: Error) => void = () => undefined;

  onWarning: (message: string) => void = () => undefined;

  private constructor(
    private readonly sessions: SessionLog,
    private readonly reserve?: DiskReserve,
  ) {}

  /** Whether the disk is full: then no write may begin. */
  get full(): boolean {
    return this.reserve?.released ?? false;
  }

  /**
   * Opens the data folder and replays its log. Rejects when it cannot be read or is not a log, and with DamagedLogError when
   * it is damaged in the middle, unless `repair` is set. `onLoss` receives one sentence for everything that was lost.
   */
  static async open(
    dataDir: string,
    sessions: SessionLog,
    repair: boolean,
    onLoss: (message: string) => void,
    reserve?: DiskReserve,
  ): Promise<Store> {
    const store = new Store(sessions, reserve);
    const recovery = new Recovery(store.catalog, sessions);
    let damaged = false;
    store.#log = await AppendLog.open(join(dataDir, 'engine.log'), {
      onRecord: (record) => recovery.take(record),
      onLoss: ({ message }) => {
        damaged = true;
        onLoss(message);
      },
      repair,
      maxRecordBytes,
      makeRoom: async () => (await reserve?.release()) ?? false,
    });
    if (damaged && recovery.orphans > 0)
      onLoss(
        `${recovery.orphans} changes of documents were dropped: the log does not say to which collection they belong`,
      );
    await store.#dropUnbuildable(recovery.finish(damaged && repair), onLoss);
    return store;
  }

  /** Where a lost change had made room for another document, a unique index cannot be built. */
  async #dropUnbuildable(unbuildable: readonly UnbuildableIndex[], onLoss: (message: string) => void): Promise<void> {
    const unit = this.autocommit();
    for (const { collection, name } of unbuildable) {
      onLoss(`the index ${name} of ${collection.ns} was dropped: two documents have the same key`);
      this.dropIndex(collection, name, unit);
    }
    await this.flush(unit);
  }

  /** A unit for writes outside of transactions. */
  autocommit(): Unit {
    return new Unit(new LogBatch());
  }

  /** Starts a transaction: it reads what is committed now. */
  begin(): Unit {
    const unit = new Unit(new LogBatch(), this.#clock);
    this.#readers.add(unit);
    return unit;
  }

  /**
   * Makes the transaction's writes visible, all at once, and queues their one log record. Resolves when it is durable.
   * Throws TransactionTooLarge, and leaves it open, when the record would be too large.
   */
  commit(unit: Unit): Promise<void> {
    let bytes = unit.batch.bytes;
    for (const { raw } of unit.touched.keys()) bytes += (raw?.length ?? 0) + entryOverhead;
    if (bytes > maxRecordBytes)
      throw new MongoError('TransactionTooLarge', `the transaction's writes take more than ${maxRecordBytes} bytes`);
    const ts = this.tick();
    this.#readers.delete(unit);
    for (const collection of unit.created) collection.creator = null;
    for (const [record, collection] of unit.touched) collection.commit(unit, record, ts);
    this.#finish(unit);
    return this.flush(unit);
  }

  abort(unit: Unit): void {
    this.#readers.delete(unit);
    for (const [record, collection] of unit.touched) collection.rollback(record);
    for (const collection of unit.created) this.catalog.drop(collection);
    this.#finish(unit);
  }

  #finish(unit: Unit): void {
    unit.touched.clear();
    for (const collection of unit.used) collection.users.delete(unit);
    this.#prune();
    unit.end();
  }

  /** Hands what the unit has committed to the log; resolves when it and all before it is durable. */
  flush(unit: Unit): Promise<void> {
    if (unit.batch.empty) return this.#durable;
    this.#durable = this.#log.append(unit.batch.take());
    this.#durable.catch((error: Error) => this.#fail(error));
    this.#compactIfWorthwhile();
    return this.#durable;
  }

  /** The collection as the unit sees it: one that another transaction is making is not there yet. */
  find(ns: string, view: View): Collection | undefined {
    const collection = this.catalog.byNs.get(ns);
    return collection && (collection.creator === null || collection.creator === view.unit) ? collection : undefined;
  }

  /** The collection to write into, made when it is missing. Blocked while another transaction is making it. */
  findOrCreate(ns: string, unit: Unit): Collection {
    const there = this.catalog.byNs.get(ns);
    if (there && there.creator !== null && there.creator !== unit) throw new Blocked(there.creator);
    const collection = there ?? this.create(ns, unit);
    this.use(collection, unit);
    return collection;
  }

  create(ns: string, unit: Unit): Collection {
    const collection = this.catalog.create(ns);
    this.#change(unit, creation(collection));
    if (unit.unit) {
      collection.creator = unit;
      unit.created.push(collection);
    }
    return collection;
  }

  /** Notes that a transaction has used the collection, so that its definition stays until the transaction ends. */
  use(collection: Collection, unit: Unit): void {
    if (!unit.unit) return;
    unit.used.add(collection);
    collection.users.add(unit);
  }

  addIndex(collection: Collection, spec: IndexSpec, unit: Unit): void {
    this.#change(unit, indexAddition(collection, collection.addIndex(spec)));
  }

  dropIndex(collection: Collection, name: string, unit: Unit): void {
    collection.dropIndex(name);
    this.#change(unit, { op: 'dropIndex', id: collection.id, name });
  }

  changeIndex(collection: Collection, spec: IndexSpec, unit: Unit): void {
    collection.changeIndex(spec);
    this.#change(unit, { op: 'changeIndex', id: collection.id, spec });
  }

  setOptions(collection: Collection, options: CollectionOptions, unit: Unit): void {
    collection.setOptions(options);
    this.#change(unit, { op: 'options', id: collection.id, options });
  }

  drop(collection: Collection, unit: Unit): void {
    this.catalog.drop(collection);
    this.#change(unit, { op: 'drop', id: collection.id, ns: collection.ns });
  }

  tick(): number {
    return (this.#clock += 1);
  }

  nextRecordId(): number {
    return (this.#recordIds += 1);
  }

  oldestReader(): number {
    let oldest = Infinity;
    for (const { ts } of this.#readers) if (ts < oldest) oldest = ts;
    return oldest;
  }

  pruneLater(collection: Collection, record: DocRecord, ts: number): void {
    if (this.#readers.size === 0 && this.#prunable.length === 0) collection.prune(record, Infinity);
    else this.#prunable.push({ collection, record, ts });
  }

  /** Resolves when all that was committed until now is durable. */
  get durable(): Promise<void> {
    return this.#durable;
  }

  get logBytes(): number {
    return this.#log.size;
  }

  /** Bytes of the log when it holds the present state only. */
  get liveBytes(): number {
    let bytes = 0;
    for (const collection of this.catalog.byId.values()) bytes += collection.bytes + collection.count * entryOverhead;
    return bytes;
  }

  /** Rewrites the log so that it holds the present state only. Requests go on meanwhile. */
  compact(): Promise<void> {
    this.#compacting ??= this.#compact().finally(() => (this.#compacting = undefined));
    return this.#compacting;
  }

  /** Gives up a compaction, flushes and closes the log. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.reserve?.stop();
    await this.#compacting?.catch(() => undefined);
    await this.#log.close();
  }

  async #compact(): Promise<void> {
    const view: View = { ts: this.#clock, unit: null };
    this.#readers.add(view);
    try {
      await this.#log.compact(snapshotRecords(this.catalog, this.sessions, view, this.#closing.signal));
    } finally {
      this.#readers.delete(view);
      this.#prune();
    }
  }

  #compactIfWorthwhile(): void {
    const { size } = this.#log;
    if (this.#compacting || size < this.#compactAbove || this.liveBytes * 2 > size) return;
    this.compact().then(
      () => (this.#compactAbove = compactAbove),
      (error: Error) => {
        // The log is as it was: it is tried again when it has grown by half. A log that cannot be written fails by itself.
        this.#compactAbove = size * 1.5;
        if (!this.#closing.signal.aborted) this.onWarning(`the log could not be compacted: ${error.message}`);
      },
    );
  }

  #fail(error: Error): void {
    const report = this.onFailure;
    this.onFailure = () => undefined;
    report(error);
  }

  #change(unit: Unit, change: CatalogChange): void {
    unit.batch.add(Entry.catalog, change.id, rawChange(change));
  }

  #prune(): void {
    const oldest = this.oldestReader();
    const later = this.#prunable.findIndex(({ ts }) => ts > oldest);
    const ready = this.#prunable.splice(0, later < 0 ? this.#prunable.length : later);
    for (const { collection, record } of ready) collection.prune(record, oldest);
  }
}
