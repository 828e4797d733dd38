import { identicalValues } from '../language/compare.js';
import type { Doc } from '../language/doc.js';
import { fail } from '../language/errors.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { encodeKey, encodeValue } from '../language/key.js';
import { valueAt } from '../language/path.js';
import type { Document } from '../language/values.js';
import { isShortened, lowerBound, prefixOf, shortenedKey, successor, upperBound } from './keys.js';
import type { Snapshot } from './snapshot.js';

/** The definition of an index. */
export interface IndexSpec {
  v: number;
  key: Record<string, number>;
  name: string;
  unique?: boolean;
  sparse?: boolean;
  expireAfterSeconds?: number;
  partialFilterExpression?: Document;
}

/**
 * An entry of an index: a key, and the record id of the document, which is the encoded `_id`, shortened if it is too
 * long.
 */
export interface IndexEntry {
  /** Undefined if it was too long to be stored in full. */
  key: string | undefined;
  id: string;
  /** The document, if the entry is the document's own record and its value was read. */
  raw?: Buffer | undefined;
  /** The `changeCount` of the reader when the entry was read. */
  changeCount: number;
}

interface KeyField {
  path: string;
  parts: string[];
  direction: 1 | -1;
}

/** Cached two-byte encodings (big endian) of the lengths of record ids. */
const lengths: Buffer[] = [];

/** An index. The index of `_id` has no entries of its own, because documents are stored in its order. */
export class CollectionIndex {
  readonly fields: KeyField[];
  readonly partial: Filter | undefined;
  readonly isId: boolean;
  /** The prefix of the keys of its records. */
  readonly prefix: string;
  /** The top-level fields that determine a document's keys. */
  readonly #determining: readonly string[];
  /** Whether any document ever had an array at an indexed path, or a key that had to be shortened. */
  multikey = false;
  /** Whether the data file marks the index as multikey. */
  isMultikeyStored = false;

  /** `documentPrefix`, the prefix of the documents' keys, is given only for the index of `_id`. */
  constructor(
    readonly number: number,
    public spec: IndexSpec,
    documentPrefix?: string,
  ) {
    const { key, partialFilterExpression: partial } = spec;
    this.fields = Object.entries(key).map(([path, direction]) => {
      return { path, parts: path.split('.'), direction: direction < 0 ? -1 : 1 };
    });
    this.partial = partial && compileFilter(partial);
    this.isId = documentPrefix !== undefined;
    this.prefix = documentPrefix ?? prefixOf('entry', number);
    this.#determining = Object.keys({ ...key, ...partial }).map((path) => path.split('.')[0]!);
  }

  get unique(): boolean {
    return this.isId || this.spec.unique === true;
  }

  /** Returns the keys of a document: none if the index is sparse or partial and excludes it. */
  keysFor({ decoded }: Doc): string[] {
    if (this.isId) return [encodeValue(decoded['_id'])];
    if (this.partial && !this.partial.matches(decoded)) return [];
    let keys = [''];
    let [isArray, isAbsent] = [false, true];
    for (const { parts, direction } of this.fields) {
      const value = valueAt(decoded, parts);
      if (value !== undefined) isAbsent = false;
      const encoded = (element: unknown): string => encodeKey([element], [direction]);
      if (Array.isArray(value)) {
        if (isArray) fail('CannotIndexParallelArrays', 'cannot index parallel arrays');
        isArray = true;
        // An empty array is indexed as undefined, which is below null.
        const elements = new Set((value.length === 0 ? [undefined] : value).map(encoded));
        keys = Array.from(elements, (element) => keys[0]! + element);
      } else {
        // A missing field is indexed as null.
        const element = encoded(value ?? null);
        for (let i = 0; i < keys.length; i += 1) keys[i] += element;
      }
    }
    if (isAbsent && this.spec.sparse) return [];
    this.multikey ||= isArray;
    return keys;
  }

  /** Returns whether two versions of a document are known to have the same keys. */
  hasSameKeys({ decoded: one }: Doc, { decoded: other }: Doc): boolean {
    return this.#determining.every((name) => !name.startsWith('$') && identicalValues(one[name], other[name]));
  }

  /**
   * Returns the key of an entry's record. If the key had to be shortened, marks the index as multikey, because
   * shortened keys provide no order.
   */
  recordKey(key: string, id: string): string {
    const fullKey = this.prefix + key + (this.unique ? '' : id);
    const shortened = shortenedKey(fullKey);
    if (shortened !== fullKey) this.multikey = true;
    return shortened;
  }

  /**
   * Returns the value of an entry's record: the document's record id, or the id's length if the key ends with the id.
   */
  recordValue(recordKey: string, id: string): Buffer {
    if (this.unique || isShortened(recordKey)) return Buffer.from(id, 'latin1');
    return (lengths[id.length] ??= Buffer.of(id.length >> 8, id.length & 0xff));
  }

  /**
   * Yields the entries whose records are at or after `low` and before `high`, in order, and possibly others whose keys
   * were shortened.
   */
  *walk(reader: Snapshot, low = this.prefix, high = successor(this.prefix), reverse = false): Iterable<IndexEntry> {
    const options = { reverse, keysOnly: this.isId };
    for (const { key, value, changeCount } of reader.range(lowerBound(low), upperBound(high), options)) {
      if (isShortened(key) || (key >= low && key < high)) yield this.#entry(key, value, changeCount);
    }
  }

  /** Returns the entry whose record has this key. Only for unique indexes. */
  entry(reader: Snapshot, recordKey: string): IndexEntry | undefined {
    const shortened = shortenedKey(recordKey);
    const value = reader.get(shortened);
    return value && this.#entry(shortened, value, reader.changeCount);
  }

  #entry(recordKey: string, value: Buffer | undefined, changeCount: number): IndexEntry {
    const rest = recordKey.slice(this.prefix.length);
    const key = isShortened(recordKey) ? undefined : rest;
    if (this.isId) return { key, id: rest, changeCount, raw: value };
    if (this.unique || key === undefined) return { key, id: value!.toString('latin1'), changeCount };
    const end = key.length - value!.readUInt16BE();
    return { key: key.slice(0, end), id: key.slice(end), changeCount };
  }
}
