import { UUID } from 'bson';
import { Doc } from '../bson/doc.js';
import { differingFields, idElement, rawDocument, type RawDoc } from '../bson/raw.js';
import { compileFilter, type Filter } from '../language/filter.js';
import type { Document } from '../language/values.js';
import { buildIndexes, CollectionIndex, type IndexSpec } from './collection-index.js';
import { Entry } from './log-batch.js';
import { DocRecord, type Version } from './record.js';
import { Blocked, type Unit } from './unit.js';

/** What a collection needs of the store around it. */
export interface Timeline {
  /** The next commit time. */
  tick(): number;
  nextRecordId(): number;
  /** The earliest commit time that some reader still reads at; Infinity when nobody reads the past. */
  oldestReader(): number;
  /** Asks to forget the states of a record that nobody can read once no reader is earlier than `ts`. */
  pruneLater(collection: Collection, record: DocRecord, ts: number): void;
}

export interface CollectionOptions {
  validator?: Document;
}

/** The document whose `_id` a removal names in the log. */
const idOnly = (raw: RawDoc): RawDoc => rawDocument(idElement(raw) ?? '');

/** The keys of a document in each index; null where they are those of the state before. */
type Keys = (string[] | null)[];

/** A collection: its documents in the order of their insertion, each with its states, and its indexes. */
export class Collection {
  readonly uuid: UUID;
  readonly indexes: CollectionIndex[];
  first: DocRecord | null = null;
  last: DocRecord | null = null;
  /** Committed documents and their bytes. */
  count = 0;
  bytes = 0;
  /** The transaction that is making this collection, until it commits. */
  creator: Unit | null = null;
  dropped = false;
  /** The open transactions that have used this collection. */
  readonly users = new Set<Unit>();
  validator: Filter | undefined;

  constructor(
    private readonly timeline: Timeline,
    readonly id: number,
    readonly ns: string,
    public options: CollectionOptions = {},
    uuid?: UUID,
  ) {
    this.setOptions(options);
    this.uuid = uuid ?? new UUID();
    this.indexes = [new CollectionIndex({ v: 2, key: { _id: 1 }, name: '_id_' })];
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

  /** Adds a document. Throws DuplicateKey, or Blocked when another transaction is in the way; nothing is changed then. */
  insert(unit: Unit, doc: Doc): void {
    const keys = this.#checkedKeys(unit, doc, null);
    const record = new DocRecord(this.timeline.nextRecordId(), null, 0);
    this.#link(record);
    this.#write(unit, record, doc.raw, keys);
  }

  /** Replaces the newest state of a record. Throws as `insert` does. */
  update(unit: Unit, record: DocRecord, doc: Doc): void {
    this.#checkWritable(unit, record);
    this.#write(unit, record, doc.raw, this.#checkedKeys(unit, doc, record));
  }

  remove(unit: Unit, record: DocRecord): void {
    this.#checkWritable(unit, record);
    const { raw } = record;
    this.#write(unit, record, null, undefined);
    if (!unit.unit && raw !== null) unit.batch.add(Entry.remove, this.id, idOnly(raw));
  }

  /** Makes a transaction's state of a record the committed one, and puts it into the transaction's log record. */
  commit(unit: Unit, record: DocRecord, ts: number): void {
    const before = record.older?.raw ?? null;
    record.writer = null;
    record.ts = ts;
    this.#count(before, record.raw);
    if (record.raw !== null) unit.batch.add(Entry.put, this.id, record.raw);
    else if (before !== null) unit.batch.add(Entry.remove, this.id, idOnly(before));
    this.timeline.pruneLater(this, record, ts);
  }

  /** Takes a transaction's state of a record back. */
  rollback(record: DocRecord): void {
    const undone = record.raw;
    const { older } = record;
    record.writer = null;
    if (older) Object.assign(record, { raw: older.raw, ts: older.ts, older: older.older });
    else Object.assign(record, { raw: null, ts: 0 });
    this.#forgetKeys(record, undone);
    if (!older) this.#unlink(record);
  }

  /** Forgets the states of a record that nobody who reads at `oldest` or later can see. */
  prune(record: DocRecord, oldest: number): void {
    let kept: Version = record;
    while ((kept === record && record.writer !== null) || kept.ts > oldest) {
      if (!kept.older) return;
      kept = kept.older;
    }
    let gone = kept.older;
    kept.older = null;
    for (; gone; gone = gone.older) this.#forgetKeys(record, gone.raw);
    if (kept === record && record.raw === null) this.#unlink(record);
  }

  setOptions(options: CollectionOptions): void {
    this.options = options;
    this.validator = options.validator && compileFilter(options.validator);
  }

  /** Adds an index over all that is there. Throws DuplicateKey when it is unique and the documents are not. */
  addIndex(spec: IndexSpec): CollectionIndex {
    const index = new CollectionIndex(spec);
    buildIndexes([index], this.ns, this.first);
    this.indexes.push(index);
    return index;
  }

  /** Adds an index without filling it. */
  declareIndex(spec: IndexSpec): void {
    this.indexes.push(new CollectionIndex(spec));
  }

  /** Takes over a new `expireAfterSeconds` of an index. */
  changeIndex(spec: IndexSpec): void {
    const index = this.indexNamed(spec.name);
    if (index) index.spec = spec;
  }

  dropIndex(name: string): void {
    const at = this.indexes.findIndex(({ spec }) => spec.name === name);
    if (at > 0) this.indexes.splice(at, 1);
  }

  indexNamed(name: string): CollectionIndex | undefined {
    return this.indexes.find(({ spec }) => spec.name === name);
  }

  /** Takes in a document of the log, in place of the one with its `_id`. Indexes are built at the end of the log. */
  recover(record: DocRecord | undefined, raw: RawDoc): DocRecord {
    if (record) {
      this.bytes += raw.length - (record.raw?.length ?? 0);
      record.raw = raw;
      return record;
    }
    const added = new DocRecord(this.timeline.nextRecordId(), raw, 0);
    this.#link(added);
    this.#count(null, raw);
    return added;
  }

  recoverRemoval(record: DocRecord): void {
    this.#count(record.raw, null);
    this.#unlink(record);
  }

  #checkWritable(unit: Unit, record: DocRecord): void {
    if (record.writer !== null && record.writer !== unit) throw new Blocked(record.writer);
    if (record.writer === null && record.ts > unit.ts) throw new Blocked(null);
  }

  #checkedKeys(unit: Unit, doc: Doc, record: DocRecord | null): Keys {
    const differing = record && record.raw !== null ? differingFields(record.raw, doc.raw) : undefined;
    const keys = this.indexes.map((index) => (differing && index.isUntouchedBy(differing) ? null : index.keysFor(doc)));
    for (let i = 0; i < keys.length; i += 1) {
      const index = this.indexes[i]!;
      if (!index.unique || (record && index.isId)) continue;
      for (const key of keys[i] ?? []) index.checkUnique(unit, this.ns, doc, key, record);
    }
    return keys;
  }

  #write(unit: Unit, record: DocRecord, raw: RawDoc | null, keys: Keys | undefined): void {
    const before = record.raw;
    const fresh = record.ts === 0 && before === null;
    const keep = !fresh && record.writer === null && (unit.unit !== null || this.timeline.oldestReader() < Infinity);
    if (keep) record.older = { raw: before, ts: record.ts, older: record.older };
    record.raw = raw;
    if (keys) this.#addKeys(record, keys);
    if (!keep && before !== null) this.#forgetKeys(record, before, keys);
    if (unit.unit) {
      record.writer = unit;
      unit.touched.set(record, this);
      return;
    }
    record.ts = this.timeline.tick();
    this.#count(before, raw);
    if (raw !== null) unit.batch.add(Entry.put, this.id, raw);
    if (record.older) this.timeline.pruneLater(this, record, record.ts);
    else if (raw === null) this.#unlink(record);
  }

  #addKeys(record: DocRecord, keys: Keys): void {
    for (let i = 0; i < keys.length; i += 1) {
      const { tree } = this.indexes[i]!;
      for (const key of keys[i] ?? []) tree.add(key, record);
    }
  }

  /** Removes the entries of a state that is gone, but for those that the states left need as well. */
  #forgetKeys(record: DocRecord, gone: RawDoc | null, newest?: Keys): void {
    if (gone === null) return;
    const doc = new Doc(gone);
    const differing = record.raw === null ? undefined : differingFields(gone, record.raw);
    for (let i = 0; i < this.indexes.length; i += 1) {
      const index = this.indexes[i]!;
      if (differing && index.isUntouchedBy(differing)) continue;
      const needed = newest?.[i] ?? index.keysForRaw(record.raw);
      for (const key of index.keysFor(doc)) {
        if (!needed.includes(key) && !heldByOlder(index, record, key)) index.tree.remove(key, record);
      }
    }
  }

  #count(before: RawDoc | null, after: RawDoc | null): void {
    this.count += Number(after !== null) - Number(before !== null);
    this.bytes += (after?.length ?? 0) - (before?.length ?? 0);
  }

  #link(record: DocRecord): void {
    record.last = this.last;
    if (this.last) this.last.next = record;
    else this.first = record;
    this.last = record;
  }

  /** Takes a record out of the order; it keeps its own `next`, so that a walk standing on it can go on. */
  #unlink(record: DocRecord): void {
    if (record.last) record.last.next = record.next;
    else this.first = record.next;
    if (record.next) record.next.last = record.last;
    else this.last = record.last;
  }
}

function heldByOlder(index: CollectionIndex, record: DocRecord, key: string): boolean {
  for (let version = record.older; version; version = version.older) {
    if (version.raw !== null && index.keysForRaw(version.raw).includes(key)) return true;
  }
  return false;
}
