import { fail } from '../language/errors.js';
import { Catalog } from './catalog.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import type { Collection } from './collection.js';
import { Blocked, Conflicts } from './conflicts.js';
import { Database, outOfSpace } from './database.js';
import { Deferred } from './deferred.js';
import { Garbage, garbageKey, noBytes } from './garbage.js';
import { prefixOf } from './keys.js';
import { Autocommit, Transaction, type Unit } from './unit.js';

/** Most bytes that one transaction may change. */
const maxTransactionBytes = 512 * 1024 * 1024;
/** Changes that may wait for the file before a command waits with them. */
const maxBacklogBytes = 32 * 1024 * 1024;

export interface StoreEvents {
  /** Transactions were aborted and collections defined anew, since the disk is full. */
  onLoss: () => void;
  /** Called once when the file can no longer be written: nothing can be acknowledged from then on. */
  onFailure: (error: Error) => void;
}

/** All collections, transactions, and the file that makes them last. */
export class Store {
  readonly catalog = new Catalog();
  readonly autocommit: Unit;
  readonly events: StoreEvents = { onLoss: ignore, onFailure: ignore };
  readonly #conflicts = new Conflicts();
  readonly #garbage: Garbage;
  readonly #stopping = new AbortController();

  private constructor(
    readonly database: Database,
    private readonly onWarning: (message: string) => void,
  ) {
    Object.assign(database.events, {
      onDamage: (key: string) => this.#damaged(key),
      onLoss: () => this.#afterLoss(),
      onFailure: (error: Error) => this.events.onFailure(error),
    });
    this.autocommit = new Autocommit(database, this.#conflicts);
    this.catalog.load(database.latest);
    this.#garbage = new Garbage(database, this.autocommit, this.#stopping.signal, onWarning);
  }

  /** Rejects when the folder cannot be used. With `repair`, what is lost of its journal is told and left out. */
  static async open(dataDir: string, onWarning: (message: string) => void = ignore, repair = false): Promise<Store> {
    return new Store(await Database.open(dataDir, onWarning, repair), onWarning);
  }

  /** Whether the disk is full: then no write may begin. */
  get isFull(): boolean {
    return this.database.isFull;
  }

  /** Throws OutOfDiskSpace while the disk is full. */
  checkSpace(): void {
    if (this.isFull) throw outOfSpace();
  }

  /** Throws Blocked while too many changes wait for the file. */
  checkBacklog(): void {
    if (this.database.backlog > maxBacklogBytes) throw new Blocked(this.database.placed());
  }

  /** Starts a transaction: it reads what is committed now. */
  begin(): Transaction {
    return new Transaction(this.database, this.#conflicts);
  }

  /**
   * Makes the transaction's writes visible, all at once. Resolves when they are durable. Throws TransactionTooLarge, and
   * leaves it open, when they are too many.
   */
  commit(transaction: Transaction): Promise<void> {
    const { changes, claimed, counts, created } = transaction;
    if (changes.bytes > maxTransactionBytes)
      fail('TransactionTooLarge', `the transaction's writes take more than ${maxTransactionBytes} bytes`);
    for (const [key, value] of changes.entries(Infinity)) this.database.set(key, value);
    for (const [collection, { documents, bytes }] of counts) this.autocommit.count(collection, documents, bytes);
    const time = this.#conflicts.commit(claimed);
    for (const collection of created) Object.assign(collection, { creator: undefined, definedAt: time });
    transaction.end();
    return this.database.durable();
  }

  abort(transaction: Transaction): void {
    for (const collection of transaction.created) this.catalog.remove(collection);
    transaction.end();
  }

  /** Resolves when everything that is visible is durable. Rejects with OutOfDiskSpace when it is lost. */
  durable(): Promise<void> {
    return this.database.durable();
  }

  /** The collection as the unit sees it: one that another transaction is making is not there yet. */
  find(ns: string, unit: Unit): Collection | undefined {
    const collection = this.catalog.byNs.get(ns);
    return collection && (collection.creator === undefined || collection.creator === unit) ? collection : undefined;
  }

  /** The collection to write into, made when it is missing. Throws Blocked while another transaction is making it. */
  findOrCreate(ns: string, unit: Unit): Collection {
    const there = this.catalog.byNs.get(ns);
    if (there?.creator !== undefined && there.creator !== unit) throw new Blocked(there.creator.ended);
    const collection = there ?? this.create(ns, unit);
    this.use(collection, unit);
    return collection;
  }

  create(ns: string, unit: Unit): Collection {
    const collection = this.catalog.create(ns);
    this.catalog.store(unit, collection);
    if (unit instanceof Transaction) {
      collection.creator = unit;
      unit.created.push(collection);
    } else collection.definedAt = this.#conflicts.commit([]);
    return collection;
  }

  /**
   * Notes that a transaction has used the collection, so that its definition stays until the transaction ends. Throws
   * SnapshotUnavailable if the transaction began before that definition.
   */
  use(collection: Collection, unit: Unit): void {
    if (!(unit instanceof Transaction)) return;
    if (collection.definedAt > unit.begun && collection.creator !== unit)
      fail('SnapshotUnavailable', `the definition of ${collection.ns} has changed since the transaction began`);
    unit.used.add(collection);
    collection.users.add(unit);
  }

  /**
   * Adds indexes over all documents of a collection, into which nobody else writes meanwhile. Rejects with DuplicateKey when
   * one is unique and the documents are not. Whatever a process leaves half done is removed at its next start.
   */
  async addIndexes(collection: Collection, specs: readonly IndexSpec[], unit: Unit): Promise<void> {
    if (specs.length === 0) return;
    const indexes = specs.map((spec) => new CollectionIndex(this.catalog.nextNumber(), spec));
    const prefixes = indexes.map(({ prefix }) => prefix);
    const done = new Deferred();
    collection.building = done.promise;
    try {
      for (const prefix of prefixes) unit.put(garbageKey(prefix), noBytes);
      for (const _ of this.#fill(unit, collection, indexes)) {
        if (this.database.backlog > maxBacklogBytes) await this.database.placed();
        this.#stopping.signal.throwIfAborted();
      }
      for (const prefix of prefixes) unit.remove(garbageKey(prefix));
      collection.indexes.push(...indexes);
      collection.definedAt = this.#conflicts.commit([]);
      this.catalog.store(unit, collection);
    } catch (error) {
      if (!unit.isTransaction) this.#garbage.remove(prefixes);
      throw error;
    } finally {
      collection.building = undefined;
      done.resolve();
    }
  }

  /** Puts the entries of all documents, one document at a time. */
  *#fill(unit: Unit, collection: Collection, indexes: readonly CollectionIndex[]): Iterable<string> {
    for (const { id } of collection.idIndex.walk(unit.reader)) {
      const doc = collection.read(unit.reader, id)!;
      for (const index of indexes) collection.addEntries(unit, index, id, doc);
      yield id;
    }
  }

  /** Counts the documents of a collection, and their bytes, anew. */
  async recount(collection: Collection): Promise<void> {
    collection.readCount(undefined);
    for (const { id } of collection.idIndex.walk(this.database.latest)) {
      collection.add(1, collection.read(this.database.latest, id)!.raw.length);
    }
    this.autocommit.count(collection, 0, 0);
    await this.durable();
  }

  dropIndex(collection: Collection, name: string): void {
    const at = collection.indexes.findIndex(({ spec }) => spec.name === name);
    const [index] = collection.indexes.splice(at, 1);
    this.catalog.store(this.autocommit, collection);
    this.#garbage.removeLater([index!.prefix]);
  }

  drop(collection: Collection): void {
    this.catalog.remove(collection);
    this.autocommit.remove(prefixOf('collection', collection.number));
    this.autocommit.remove(collection.countKey);
    this.#garbage.removeLater(collection.indexes.map(({ prefix }) => prefix));
  }

  /** Stops what runs in the background, flushes and closes the file. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#garbage.removed;
    await this.database.close();
  }

  #afterLoss(): void {
    for (const transaction of [...this.#conflicts.transactions()]) transaction.end();
    this.catalog.load(this.database.latest);
    this.events.onLoss();
  }

  #damaged(key: string): never {
    const number = key.length >= 5 ? key.slice(1, 5) : '';
    const of = [...this.catalog.byNs.values()].find(({ documents, indexes }) =>
      [documents, ...indexes.map(({ prefix }) => prefix)].some((prefix) => number !== '' && key.startsWith(prefix)),
    );
    const what = `a record of ${of?.ns ?? 'no collection'} is damaged: key ${JSON.stringify(key)}`;
    this.onWarning(what);
    fail('DataCorruptionDetected', what);
  }
}

function ignore(): void {
  // Until somebody listens.
}
