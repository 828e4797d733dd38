import { UUID } from 'bson';
import { Doc } from '../language/doc.js';
import { MongoError, show } from '../language/errors.js';
import { encodeValue } from '../language/key.js';
import { valueAt } from '../language/path.js';
import type { Document } from '../language/values.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import { Blocked } from './conflicts.js';
import { isShortened, prefixOf, shortenedKey } from './keys.js';
import type { Snapshot } from './snapshot.js';
import { Transaction, type Unit } from './unit.js';

const ID_SPEC: IndexSpec = { v: 2, key: { _id: 1 }, name: '_id_' };

/** A collection: its documents in the order of `_id`, and its indexes. */
export class Collection {
  readonly indexes: CollectionIndex[];
  /** The prefix of the keys of its documents. */
  readonly documentPrefix: string;
  /** Number of committed documents. */
  count = 0;
  /** The transaction that creates this collection, until it commits. */
  creator: Transaction | undefined;
  dropped = false;
  /** The commit that created the collection or its newest index. Older transactions cannot use the collection. */
  definedAt = 0;
  /** Set while indexes are being built. Resolves when the build ends, even if it fails. Other writes wait for it. */
  building: Promise<void> | undefined;
  /** The open transactions that have used this collection. */
  readonly users = new Set<Transaction>();

  constructor(
    readonly number: number,
    readonly ns: string,
    readonly uuid = new UUID(),
  ) {
    this.documentPrefix = prefixOf('document', number);
    this.indexes = [new CollectionIndex(number, ID_SPEC, this.documentPrefix)];
  }

  get db(): string {
    return this.ns.slice(0, this.ns.indexOf('.'));
  }

  get name(): string {
    return this.ns.slice(this.ns.indexOf('.') + 1);
  }

  get idIndex(): CollectionIndex {
    return this.indexes[0]!;
  }

  get countKey(): string {
    return prefixOf('count', this.number);
  }

  countRecord(): Buffer {
    const record = Buffer.allocUnsafe(8);
    record.writeDoubleBE(this.count);
    return record;
  }

  indexNamed(name: string): CollectionIndex | undefined {
    return this.indexes.find(({ spec }) => spec.name === name);
  }

  /** Returns the document with this record id. For `copy`, see `Snapshot.get`. */
  read(reader: Snapshot, id: string, copy?: (raw: Buffer) => Buffer): Doc | undefined {
    const raw = reader.get(this.documentPrefix + id, copy);
    return raw && new Doc(raw);
  }

  /** Returns the key of the record of a document. */
  recordKeyOf(_id: unknown): string {
    return shortenedKey(this.documentPrefix + encodeValue(_id));
  }

  /** Inserts a document. Throws DuplicateKey or Blocked before anything is changed. */
  insert(unit: Unit, doc: Doc): void {
    this.#checkBuilding();
    const recordKey = this.recordKeyOf(doc.decoded['_id']);
    const id = recordKey.slice(this.documentPrefix.length);
    if (unit.reader.get(recordKey)) throw this.#duplicateKey(ID_SPEC, doc);
    unit.checkWritable(recordKey);
    const added = this.indexes.slice(1).map((index) => ({ index, keys: index.keysFor(doc) }));
    for (const { index, keys } of added) this.#checkKeys(unit, index, keys, id, doc);
    unit.claim(recordKey);
    unit.put(recordKey, doc.raw);
    if (isShortened(recordKey)) storeMultikey(unit, this.idIndex);
    for (const { index, keys } of added) putEntries(unit, index, keys, id);
    unit.count(this, 1);
  }

  /** Replaces a document. Throws like `insert`. */
  update(unit: Unit, id: string, before: Doc, after: Doc): void {
    this.#checkBuilding();
    const recordKey = this.documentPrefix + id;
    unit.checkWritable(recordKey);
    const affected = this.indexes.slice(1).filter((index) => !index.hasSameKeys(before, after));
    const moves = affected.map((index) => {
      const [old, keys] = [index.keysFor(before), index.keysFor(after)];
      return {
        index,
        removed: old.filter((key) => !keys.includes(key)),
        keys: keys.filter((key) => !old.includes(key)),
      };
    });
    for (const { index, keys } of moves) this.#checkKeys(unit, index, keys, id, after);
    unit.claim(recordKey);
    unit.put(recordKey, after.raw);
    for (const { index, removed, keys } of moves) {
      for (const key of removed) unit.put(index.recordKey(key, id), null);
      putEntries(unit, index, keys, id);
    }
  }

  /** Removes a document. Throws Blocked. */
  remove(unit: Unit, id: string, before: Doc): void {
    this.#checkBuilding();
    const recordKey = this.documentPrefix + id;
    unit.checkWritable(recordKey);
    unit.claim(recordKey);
    unit.put(recordKey, null);
    for (const index of this.indexes.slice(1))
      for (const key of index.keysFor(before)) unit.put(index.recordKey(key, id), null);
    unit.count(this, -1);
  }

  /** Adds the entries of a document to an index that is being built. Throws DuplicateKey. */
  addEntries(unit: Unit, index: CollectionIndex, id: string, doc: Doc): void {
    const keys = index.keysFor(doc);
    this.#checkKeys(unit, index, keys, id, doc);
    putEntries(unit, index, keys, id);
  }

  #checkBuilding(): void {
    if (this.building) throw new Blocked(this.building);
  }

  /**
   * Checks the keys of a unique index one by one. Throws DuplicateKey if a document that the unit sees has the key,
   * even if a concurrent transaction removes that document. Throws Blocked if the unit sees no such document, but a
   * concurrent transaction has added the key. WiredTiger checks in this order.
   */
  #checkKeys(unit: Unit, index: CollectionIndex, keys: readonly string[], id: string, doc: Doc): void {
    for (const key of keys) {
      const recordKey = index.recordKey(key, id);
      if (!index.unique) continue;
      if (unit.reader.get(recordKey)) throw this.#duplicateKey(index.spec, doc);
      unit.checkWritable(recordKey);
    }
  }

  #duplicateKey({ key, name }: IndexSpec, { decoded }: Doc): MongoError {
    const keyValue: Document = {};
    for (const path of Object.keys(key)) keyValue[path] = [valueAt(decoded, path.split('.')) ?? null].flat(1)[0];
    const values = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
    const message = `E11000 duplicate key error collection: ${this.ns} index: ${name} dup key: { ${values.join(', ')} }`;
    return new MongoError('DuplicateKey', message, { keyPattern: key, keyValue });
  }
}

function putEntries(unit: Unit, index: CollectionIndex, keys: readonly string[], id: string): void {
  for (const key of keys) {
    const recordKey = index.recordKey(key, id);
    if (index.unique) unit.claim(recordKey);
    unit.put(recordKey, index.recordValue(recordKey, id));
  }
  if (index.multikey) storeMultikey(unit, index);
}

/**
 * Marks an index as multikey (see `CollectionIndex.multikey`), and stores the mark. An index with this mark is not used
 * to provide a sort order.
 */
export function storeMultikey(unit: Unit, index: CollectionIndex): void {
  index.multikey = true;
  if (index.isMultikeyStored) return;
  unit.put(prefixOf('multikey', index.number), Buffer.alloc(0));
  index.isMultikeyStored = !(unit instanceof Transaction);
}
