import { UUID } from 'bson';
import { Doc } from '../language/doc.js';
import { encodeValue } from '../language/key.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import { duplicateKey } from './duplicate-key.js';
import { prefixOf, shortenedKey } from './keys.js';
import type { Snapshot } from './snapshot.js';
import { Blocked } from './conflicts.js';
import type { Transaction, Unit } from './unit.js';

const idSpec: IndexSpec = { v: 2, key: { _id: 1 }, name: '_id_' };

/** A collection: its documents in the order of their `_id`, and its indexes. */
export class Collection {
  readonly indexes: CollectionIndex[];
  /** What the keys of its documents begin with. */
  readonly documents: string;
  /** Committed documents and their bytes. */
  count = 0;
  bytes = 0;
  /** The transaction that is making this collection, until it commits. */
  creator: Transaction | undefined;
  dropped = false;
  /** The commit that made it, or its last index. Transactions that are older cannot use it. */
  definedAt = 0;
  /** While an index is built nothing else is written: resolves when it is done. */
  building: Promise<void> | undefined;
  /** The open transactions that have used this collection. */
  readonly users = new Set<Transaction>();

  constructor(
    readonly number: number,
    readonly ns: string,
    readonly uuid = new UUID(),
  ) {
    this.documents = prefixOf('document', number);
    this.indexes = [new CollectionIndex(0, idSpec, this.documents)];
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
    const record = Buffer.allocUnsafe(16);
    record.writeDoubleBE(this.count);
    record.writeDoubleBE(this.bytes, 8);
    return record;
  }

  readCount(record: Buffer | undefined): void {
    this.count = record?.readDoubleBE() ?? 0;
    this.bytes = record?.readDoubleBE(8) ?? 0;
  }

  add(documents: number, bytes: number): void {
    this.count += documents;
    this.bytes += bytes;
  }

  /** The record id of the document with this `_id`. */
  idOf(_id: unknown): string {
    return shortenedKey(this.documents + encodeValue(_id)).slice(this.documents.length);
  }

  /** The document with this record id; undefined when the reader sees none. */
  read(reader: Snapshot, id: string): Doc | undefined {
    const raw = reader.get(this.documents + id);
    return raw && new Doc(raw);
  }

  /** Adds a document. Throws DuplicateKey, or Blocked when another transaction is in the way; nothing is changed then. */
  insert(unit: Unit, doc: Doc): void {
    this.#checkBuilding();
    const id = this.idOf(doc.decoded['_id']);
    const record = this.documents + id;
    if (unit.reader.get(record)) throw duplicateKey(this.ns, idSpec, doc);
    unit.checkWritable(record);
    const added = this.indexes.slice(1).map((index) => ({ index, keys: index.keysFor(doc) }));
    for (const { index, keys } of added) this.#checkKeys(unit, index, keys, id, doc);
    this.#put(unit, record, doc);
    for (const { index, keys } of added) putEntries(unit, index, keys, id);
    unit.count(this, 1, doc.raw.length);
  }

  /** Replaces the state of a document that the unit sees. Throws as `insert` does. */
  update(unit: Unit, id: string, before: Doc, after: Doc): void {
    this.#checkBuilding();
    const record = this.documents + id;
    unit.checkWritable(record);
    const touched = this.indexes.slice(1).filter((index) => !index.hasSameKeys(before, after));
    const moves = touched.map((index) => {
      const [old, keys] = [index.keysFor(before), index.keysFor(after)];
      return { index, gone: old.filter((key) => !keys.includes(key)), keys: keys.filter((key) => !old.includes(key)) };
    });
    for (const { index, keys } of moves) this.#checkKeys(unit, index, keys, id, after);
    this.#put(unit, record, after);
    for (const { index, gone, keys } of moves) {
      for (const key of gone) unit.remove(index.recordKey(key, id));
      putEntries(unit, index, keys, id);
    }
    unit.count(this, 0, after.raw.length - before.raw.length);
  }

  /** Removes a document that the unit sees. Throws Blocked as `insert` does. */
  remove(unit: Unit, id: string, before: Doc): void {
    this.#checkBuilding();
    const record = this.documents + id;
    unit.checkWritable(record);
    unit.claim(record);
    unit.remove(record);
    for (const index of this.indexes.slice(1)) {
      for (const key of index.keysFor(before)) unit.remove(index.recordKey(key, id));
    }
    unit.count(this, -1, -before.raw.length);
  }

  /** Adds the entries of a document to an index that is being built. Throws DuplicateKey. */
  addEntries(unit: Unit, index: CollectionIndex, id: string, doc: Doc): void {
    const keys = index.keysFor(doc);
    this.#checkKeys(unit, index, keys, id, doc);
    putEntries(unit, index, keys, id);
  }

  indexNamed(name: string): CollectionIndex | undefined {
    return this.indexes.find(({ spec }) => spec.name === name);
  }

  #checkBuilding(): void {
    if (this.building) throw new Blocked(this.building);
  }

  #put(unit: Unit, record: string, { raw }: Doc): void {
    unit.claim(record);
    unit.put(record, raw);
  }

  /**
   * Throws DuplicateKey if another document that the unit sees has one of the keys, even if a concurrent transaction removes
   * it; Blocked if a document that the unit does not see has it. This is the order in which WiredTiger checks.
   */
  #checkKeys(unit: Unit, index: CollectionIndex, keys: readonly string[], id: string, doc: Doc): void {
    for (const key of keys) {
      const record = index.recordKey(key, id);
      if (!index.unique) continue;
      if (unit.reader.get(record)) throw duplicateKey(this.ns, index.spec, doc);
      unit.checkWritable(record);
    }
  }
}

function putEntries(unit: Unit, index: CollectionIndex, keys: readonly string[], id: string): void {
  for (const key of keys) {
    const record = index.recordKey(key, id);
    if (index.unique) unit.claim(record);
    unit.put(record, index.recordValue(record, id));
  }
  if (!index.multikey || index.isMultikeyStored) return;
  unit.put(prefixOf('multikey', index.number), Buffer.alloc(0));
  index.isMultikeyStored = !unit.isTransaction;
}
