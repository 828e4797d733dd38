import { identicalValues } from '../language/compare.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { encodeValue } from '../language/key.js';
import type { Doc } from '../language/doc.js';
import type { Document } from '../language/values.js';
import { keyField, keysOf, type KeyField } from './index-keys.js';
import { isShortened, lowerBound, prefixOf, shortenedKey, successor, upperBound } from './keys.js';
import type { Snapshot } from './snapshot.js';

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

/** An entry of an index: the record id of a document under one of its keys. */
export interface IndexEntry {
  /** Undefined where it is too long to be read from the record. */
  key: string | undefined;
  id: string;
  /** The document, where the entry is its record and was read. */
  raw?: Buffer | undefined;
  /** The version of the reader at which it was read. */
  version: number;
}

/** Lengths of record ids in two bytes, big endian. */
const lengths: Buffer[] = [];

/** An index. That of `_id` has no entries of its own: it is the order of the documents. */
export class CollectionIndex {
  readonly fields: KeyField[];
  readonly partial: Filter | undefined;
  readonly isId: boolean;
  /** What the keys of its entries begin with. */
  readonly prefix: string;
  /** The top-level fields that decide on a document's keys; undefined: any field may. */
  readonly #deciding: readonly string[] | undefined;
  /** Whether a document ever had an array on an indexed path. */
  multikey = false;
  isMultikeyStored = false;

  constructor(
    readonly number: number,
    public spec: IndexSpec,
    documents?: string,
  ) {
    this.fields = Object.entries(spec.key).map(([path, direction]) => keyField(path, direction < 0 ? -1 : 1));
    this.partial = spec.partialFilterExpression && compileFilter(spec.partialFilterExpression);
    this.isId = documents !== undefined;
    this.prefix = documents ?? prefixOf('entry', number);
    const paths = [...Object.keys(spec.key), ...Object.keys(spec.partialFilterExpression ?? {})];
    if (!paths.some((path) => path.startsWith('$'))) this.#deciding = paths.map((path) => path.split('.')[0]!);
  }

  get unique(): boolean {
    return this.isId || this.spec.unique === true;
  }

  /** The keys of a document here: none when the index is sparse or partial and the document is not for it. */
  keysFor({ decoded }: Doc): string[] {
    if (this.isId) return [encodeValue(decoded['_id'])];
    if (this.partial && !this.partial.matches(decoded)) return [];
    const { keys, multikey, absent } = keysOf(decoded, this.fields);
    if (absent && this.spec.sparse) return [];
    if (multikey) this.multikey = true;
    return keys;
  }

  /** Whether two states of a document have the same keys here, as far as their top-level fields tell. */
  hasSameKeys({ decoded: one }: Doc, { decoded: other }: Doc): boolean {
    return (
      this.#deciding?.every((name) => one[name] === other[name] || identicalValues(one[name], other[name])) ?? false
    );
  }

  /** The key of the record of an entry. Where it is too long, order and key cannot be read from it, as with arrays. */
  recordKey(key: string, id: string): string {
    const record = this.prefix + key + (this.unique ? '' : id);
    const shortened = shortenedKey(record);
    if (shortened !== record) this.multikey = true;
    return shortened;
  }

  /** The value of the record of an entry: the record id of the document, or its length where the record ends with it. */
  recordValue(record: string, id: string): Buffer {
    if (this.unique || isShortened(record)) return Buffer.from(id, 'latin1');
    return (lengths[id.length] ??= Buffer.of(id.length >> 8, id.length & 0xff));
  }

  /** The entries whose records are from `low` until before `high`, in order; as the reader's snapshot gives ranges. */
  *walk(reader: Snapshot, low = this.prefix, high = successor(this.prefix), reverse = false): Iterable<IndexEntry> {
    const options = { reverse, keysOnly: this.isId };
    for (const { key, value, version } of reader.range(lowerBound(low), upperBound(high), options)) {
      yield this.#entry(key, value, version);
    }
  }

  /** The entry of a unique index with this key; undefined when there is none. */
  entry(reader: Snapshot, record: string): IndexEntry | undefined {
    const shortened = shortenedKey(record);
    const value = reader.get(shortened);
    return value && this.#entry(shortened, value, reader.version);
  }

  #entry(record: string, value: Buffer | undefined, version: number): IndexEntry {
    const rest = record.slice(this.prefix.length);
    const key = isShortened(record) ? undefined : rest;
    if (this.isId) return { key, id: rest, version, raw: value };
    if (this.unique || key === undefined) return { key, id: value!.toString('latin1'), version };
    const end = key.length - value!.readUInt16BE();
    return { key: key.slice(0, end), id: key.slice(end), version };
  }
}
