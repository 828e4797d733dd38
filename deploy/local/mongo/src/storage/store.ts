import { fail } from '../language/errors.js';
import { Catalog, recordKeysOf } from './catalog.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import { Collection, storeMultikey } from './collection.js';
import { Blocked, Conflicts } from './conflicts.js';
import { Database, outOfSpace } from './database.js';
import { Deferred } from './deferred.js';
import { Garbage, garbageKey, NO_BYTES } from './garbage.js';
import { numberIn, PREFIX_LENGTH, prefixOf, type Kind } from './keys.js';
import { removeDamaged } from './repair.js';
import { Transaction, type Unit } from './unit.js';

const MAX_TRANSACTION_BYTES = 512 * 1024 * 1024;
/** Writes wait while the changes that are not in the file yet exceed this size. */
const MAX_BACKLOG_BYTES = 48 * 1024 * 1024;

/** The collections stored in a database, and the transactions on them. */
export class Store {
  readonly catalog = new Catalog();
  /** Writes outside of transactions: each is committed immediately. */
  readonly autocommit: Unit;
  /** Called after the database lost changes, all transactions ended, and the collections were reloaded. */
  onLoss = (): void => undefined;
  readonly #conflicts = new Conflicts();
  readonly #garbage: Garbage;
  readonly #stopping = new AbortController();

  private constructor(
    readonly database: Database,
    private readonly onWarning: (message: string) => void,
  ) {
    database.events.onDamage = (key) => this.#damaged(key);
    database.events.onLoss = () => {
      for (const transaction of [...this.#conflicts.open]) transaction.end();
      this.catalog.load(database.latest);
      this.onLoss();
    };
    this.autocommit = {
      reader: database.latest,
      put: (key, value) => database.set(key, value),
      checkWritable: (key) => this.#conflicts.check(key),
      claim: (key) => void this.#conflicts.commit([key]),
      count(collection, documents) {
        collection.count += documents;
        database.set(collection.countKey, collection.countRecord());
      },
    };
    this.catalog.load(database.latest);
    this.#garbage = new Garbage(database, this.#stopping.signal, onWarning);
  }

  /** Opens a data folder. Rejects if it cannot be used. With `repair`, removes damaged records with a warning. */
  static async open(dataDir: string, onWarning: (message: string) => void, repair = false): Promise<Store> {
    const database = await Database.open(dataDir, onWarning, repair);
    try {
      if (repair) await removeDamaged(database, dataDir, onWarning);
      return new Store(database, onWarning);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Throws OutOfDiskSpace while the disk is full. */
  checkSpace(): void {
    if (this.database.isFull) throw outOfSpace();
  }

  /** Throws Blocked while too many changes wait to be written to the file. */
  checkBacklog(): void {
    if (this.database.backlog > MAX_BACKLOG_BYTES) throw new Blocked(this.database.checkpointed());
  }

  begin(): Transaction {
    return new Transaction(this.database, this.#conflicts);
  }

  /** Makes the changes of a transaction visible. Resolves when they are durable. Throws TransactionTooLarge. */
  commit(transaction: Transaction): Promise<void> {
    const { changes, claimed, counts, created } = transaction;
    if (changes.bytes > MAX_TRANSACTION_BYTES)
      fail('TransactionTooLarge', `the transaction's writes exceed ${MAX_TRANSACTION_BYTES} bytes`);
    for (const [key, value] of changes.entries(Infinity)) this.database.set(key, value);
    for (const [collection, documents] of counts) this.autocommit.count(collection, documents);
    const time = this.#conflicts.commit(claimed);
    for (const collection of created) Object.assign(collection, { creator: undefined, definedAt: time });
    transaction.end();
    return this.database.durable();
  }

  abort(transaction: Transaction): void {
    for (const collection of transaction.created) this.catalog.remove(collection);
    transaction.end();
  }

  /**
   * Resolves when all changes until now are durable. Rejects if they are lost: with OutOfDiskSpace if the disk is full.
   */
  durable(): Promise<void> {
    return this.database.durable();
  }

  /** Returns the collection; undefined if it does not exist or was created by another, uncommitted transaction. */
  find(ns: string, unit: Unit): Collection | undefined {
    const collection = this.catalog.byNs.get(ns);
    return collection && (collection.creator === undefined || collection.creator === unit) ? collection : undefined;
  }

  /** Returns the collection, and creates it if missing. Throws Blocked while another transaction creates it. */
  findOrCreate(ns: string, unit: Unit): Collection {
    const known = this.catalog.byNs.get(ns);
    if (known?.creator && known.creator !== unit) throw new Blocked(known.creator.ended);
    const collection = known ?? this.create(ns, unit);
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
   * Records that a transaction uses the collection, whose definition must not change until the transaction ends. Throws
   * SnapshotUnavailable if the definition is newer than the transaction.
   */
  use(collection: Collection, unit: Unit): void {
    if (!(unit instanceof Transaction)) return;
    if (collection.definedAt > unit.startedAt && collection.creator !== unit)
      fail('SnapshotUnavailable', `the definition of ${collection.ns} has changed since the transaction started`);
    unit.used.add(collection);
    collection.users.add(unit);
  }

  /** Builds indexes, while other writes to the collection wait. Rejects with DuplicateKey. */
  async addIndexes(collection: Collection, specs: readonly IndexSpec[], unit: Unit): Promise<void> {
    if (specs.length === 0) return;
    const indexes = specs.map((spec) => new CollectionIndex(this.catalog.nextNumber(), spec));
    const done = new Deferred();
    collection.building = done.promise;
    try {
      // If the process is killed, the next start removes the entries.
      for (const { prefix } of indexes) unit.put(garbageKey(prefix), NO_BYTES);
      for (const { id } of collection.idIndex.walk(unit.reader)) {
        const doc = collection.read(unit.reader, id)!;
        for (const index of indexes) collection.addEntries(unit, index, id, doc);
        if (this.database.backlog > MAX_BACKLOG_BYTES) await this.database.checkpointed();
        this.#stopping.signal.throwIfAborted();
      }
      for (const { prefix } of indexes) unit.put(garbageKey(prefix), null);
      collection.indexes.push(...indexes);
      collection.definedAt = this.#conflicts.commit([]);
      this.catalog.store(unit, collection);
    } catch (error) {
      if (!(unit instanceof Transaction)) this.#garbage.remove(indexes.map(({ prefix }) => prefix));
      throw error;
    } finally {
      collection.building = undefined;
      done.resolve();
    }
  }

  /**
   * Processes the records of collections whose definition was damaged and has been removed: defines a new collection
   * for the documents of each, and removes the entries of their indexes. Returns the new collections.
   */
  adoptOrphans(): Collection[] {
    const { latest } = this.database;
    const known = new Set(recordKeysOf(latest, 'garbage').map((key) => key.slice(1)));
    for (const { indexes } of this.catalog.byNs.values()) for (const { prefix } of indexes) known.add(prefix);
    const unknown = (kind: Kind): string[] =>
      [...new Set(recordKeysOf(latest, kind).map((key) => key.slice(0, PREFIX_LENGTH)))].filter(
        (prefix) => !known.has(prefix),
      );
    const adopted = unknown('document')
      .map(numberIn)
      .map((number) => new Collection(number, `local.orphan.${number}`));
    for (const collection of adopted) this.catalog.store(this.autocommit, collection);
    this.#garbage.remove(unknown('entry'));
    // Adds the new collections to the catalog, and reserves the numbers of the removed indexes.
    this.catalog.load(latest);
    return adopted;
  }

  /**
   * Counts the documents of a collection and stores the number. If keys of the `_id` index were shortened, also marks
   * the index as multikey, because it then cannot provide a sort order.
   */
  async recount(collection: Collection): Promise<void> {
    collection.count = 0;
    for (const { key } of collection.idIndex.walk(this.database.latest)) {
      collection.count += 1;
      if (key === undefined) storeMultikey(this.autocommit, collection.idIndex);
    }
    this.autocommit.count(collection, 0);
    await this.durable();
  }

  dropIndex(collection: Collection, index: CollectionIndex): void {
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    this.catalog.store(this.autocommit, collection);
    this.#garbage.remove([index.prefix]);
  }

  drop(collection: Collection): void {
    this.catalog.remove(collection);
    this.autocommit.put(prefixOf('collection', collection.number), null);
    this.autocommit.put(collection.countKey, null);
    this.#garbage.remove(collection.indexes.map(({ prefix }) => prefix));
  }

  /** Stops background work, flushes and closes the database. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#garbage.removed;
    await this.database.close();
  }

  #damaged(key: string): never {
    const collection = [...this.catalog.byNs.values()].find(({ indexes }) =>
      indexes.some(({ prefix }) => key.startsWith(prefix)),
    );
    const message = `a record ${collection ? `of ${collection.ns}` : 'outside of the collections'} is damaged: key ${JSON.stringify(key)}`;
    this.onWarning(message);
    fail('DataCorruptionDetected', message);
  }
}
