import { Doc } from '../bson/doc.js';
import { rawName, type RawDoc } from '../bson/raw.js';
import { compileFilter, type Filter } from '../language/filter.js';
import type { Document } from '../language/values.js';
import { duplicateKey } from './duplicate-key.js';
import { keyField, keysOf, type KeyField } from './index-keys.js';
import { OrderedTree } from './ordered-tree.js';
import { visible, type DocRecord, type Version } from './record.js';
import { sortedOrder } from './sort-entries.js';
import { Blocked, type Unit } from './unit.js';

/** The definition of an index, as `createIndexes` takes it and `listIndexes` shows it. */
export interface IndexSpec {
  v: number;
  key: Record<string, number>;
  name: string;
  unique?: boolean;
  sparse?: boolean;
  expireAfterSeconds?: number;
  partialFilterExpression?: Document;
}

const noKeys: string[] = [];

/** An index: one entry for each key of each state of a document that some reader may still see. */
export class CollectionIndex {
  readonly fields: KeyField[];
  readonly tree = new OrderedTree();
  readonly partial: Filter | undefined;
  readonly isId: boolean;
  /** The top-level fields, as `rawName` gives them, that decide on a document's keys; undefined: any field may. */
  readonly #deciding: readonly string[] | undefined;
  /** Whether a document ever had an array on an indexed path. */
  multikey = false;

  constructor(public spec: IndexSpec) {
    this.fields = Object.entries(spec.key).map(([path, direction]) => keyField(path, direction < 0 ? -1 : 1));
    this.partial = spec.partialFilterExpression && compileFilter(spec.partialFilterExpression);
    this.isId = spec.name === '_id_';
    const paths = [...Object.keys(spec.key), ...Object.keys(spec.partialFilterExpression ?? {})];
    if (!paths.some((path) => path.startsWith('$'))) this.#deciding = paths.map((path) => rawName(path.split('.')[0]!));
  }

  get unique(): boolean {
    return this.isId || this.spec.unique === true;
  }

  /** The keys of a document here: none when the index is sparse or partial and the document is not for it. */
  keysFor(doc: Doc): string[] {
    if (this.partial && !this.partial.matches(doc.decoded)) return noKeys;
    const { keys, multikey, absent } = keysOf(doc.raw, this.fields, this.spec.sparse);
    if (absent && this.spec.sparse) return noKeys;
    if (multikey) this.multikey = true;
    return keys;
  }

  keysForRaw(raw: RawDoc | null): string[] {
    return raw === null ? noKeys : this.keysFor(new Doc(raw));
  }

  /** Whether two states of a document have the same keys here, as far as the fields in which they differ tell. */
  isUntouchedBy(differing: ReadonlySet<string>): boolean {
    return this.#deciding?.every((name) => !differing.has(name)) ?? false;
  }

  /** Whether the state `raw` of a record is the one that the entry `key` stands for. */
  holds(record: DocRecord, raw: RawDoc, key: string): boolean {
    return this.isId || (record.older === null && record.writer === null) || this.keysForRaw(raw).includes(key);
  }

  /**
   * Throws DuplicateKey if another document that the unit sees has the key, even if a concurrent transaction removes it.
   * Throws Blocked if a document that the unit does not see has it. This is the order in which WiredTiger checks.
   */
  checkUnique(unit: Unit, ns: string, doc: Doc, key: string, self: DocRecord | null): void {
    const walk = this.tree.walk(key, `${key}\u0100`);
    while (walk.next() && walk.key === key) {
      const { record } = walk;
      if (record === self) continue;
      const seen = visible(record, unit);
      if (seen !== null && this.holds(record, seen, key)) throw duplicateKey(ns, this.spec, doc);
      this.#checkUnseen(unit, record, key);
    }
  }

  /** Throws Blocked if a state of the record that is open or was committed after the unit's snapshot has the key. */
  #checkUnseen(unit: Unit, record: DocRecord, key: string): void {
    const { writer } = record;
    if (writer === unit) return;
    const held = ({ raw }: Version): boolean => raw !== null && this.holds(record, raw, key);
    if (writer !== null && held(record)) throw new Blocked(writer);
    let committed: Version | null = writer === null ? record : record.older;
    for (; committed && committed.ts > unit.ts; committed = committed.older)
      if (held(committed)) throw new Blocked(null);
  }

  /** Fills the index with these entries, in whatever order they are. */
  load(ns: string, keys: string[], records: DocRecord[]): void {
    const order = sortedOrder(keys, records);
    const [sortedKeys, sortedRecords]: [string[], DocRecord[]] = [[], []];
    for (const at of order) {
      const last = sortedKeys.length - 1;
      const same = sortedKeys[last] === keys[at];
      if (same && sortedRecords[last] === records[at]) continue;
      if (same && this.unique) this.#checkTwo(ns, keys[at]!, sortedRecords[last]!, records[at]!);
      sortedKeys.push(keys[at]!);
      sortedRecords.push(records[at]!);
    }
    this.tree.load(sortedKeys, sortedRecords);
  }

  #checkTwo(ns: string, key: string, ...two: [DocRecord, DocRecord]): void {
    const held = two.every((record) => record.raw !== null && this.holds(record, record.raw, key));
    if (held) throw duplicateKey(ns, this.spec, new Doc(two[1].raw!));
  }
}

/** Fills indexes from all states of all records from `first` on. Throws DuplicateKey when one is unique and they are not. */
export function buildIndexes(indexes: readonly CollectionIndex[], ns: string, first: DocRecord | null): void {
  const entries = indexes.map((index) => ({ index, keys: [] as string[], records: [] as DocRecord[] }));
  for (let record = first; record && entries.length > 0; record = record.next) {
    for (let state: Version | null = record; state; state = state.older) {
      if (state.raw === null) continue;
      const doc = new Doc(state.raw);
      for (const { index, keys, records } of entries) {
        for (const key of index.keysFor(doc)) {
          keys.push(key);
          records.push(record);
        }
      }
    }
  }
  for (const { index, keys, records } of entries) index.load(ns, keys, records);
}
