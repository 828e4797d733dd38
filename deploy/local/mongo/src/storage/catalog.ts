import { UUID, type Binary } from 'bson';
import { Doc } from '../language/doc.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import { Collection } from './collection.js';
import { numberIn, prefixOf, successor, type Kind } from './keys.js';
import type { Snapshot } from './snapshot.js';
import type { Unit } from './unit.js';

/** The definition of a collection in the file. */
interface Definition {
  ns: string;
  uuid: UUID | Binary;
  indexes: { number: number; spec: IndexSpec }[];
}

/** The collections by name, including those that transactions create. */
export class Catalog {
  readonly byNs = new Map<string, Collection>();
  /** The highest number of a collection or an index so far. */
  #last = 0;

  /** Reads all definitions from the file. */
  load(reader: Snapshot): void {
    for (const collection of this.byNs.values()) collection.dropped = true;
    this.byNs.clear();
    for (const key of recordKeysOf(reader, 'collection')) {
      const { ns, uuid, indexes } = new Doc(reader.get(key)!).decoded as unknown as Definition;
      const collection = new Collection(this.#markUsed(numberIn(key)), ns, new UUID(uuid.buffer.subarray(0, 16)));
      for (const { number, spec } of indexes)
        collection.indexes.push(new CollectionIndex(this.#markUsed(number), spec));
      for (const index of collection.indexes)
        index.multikey = index.isMultikeyStored = reader.get(prefixOf('multikey', index.number)) !== undefined;
      collection.count = reader.get(collection.countKey)?.readDoubleBE() ?? 0;
      this.byNs.set(ns, collection);
    }
    for (const key of recordKeysOf(reader, 'garbage')) this.#markUsed(numberIn(key.slice(1)));
  }

  create(ns: string): Collection {
    const collection = new Collection(this.nextNumber(), ns);
    this.byNs.set(ns, collection);
    return collection;
  }

  remove(collection: Collection): void {
    collection.dropped = true;
    if (this.byNs.get(collection.ns) === collection) this.byNs.delete(collection.ns);
  }

  /** Returns a number that no collection and no index has, and that no record in the file refers to. */
  nextNumber(): number {
    return (this.#last += 1);
  }

  /** Stores the definition of a collection. */
  store(unit: Unit, { number, ns, uuid, indexes }: Collection): void {
    const definition: Definition = {
      ns,
      uuid,
      indexes: indexes.slice(1).map(({ number: n, spec }) => ({ number: n, spec })),
    };
    unit.put(prefixOf('collection', number), Doc.of({ ...definition }).raw);
  }

  /** Records that a number is in use, and returns it. */
  #markUsed(number: number): number {
    this.#last = Math.max(this.#last, number);
    return number;
  }
}

/** Returns the keys of all records of a kind. */
export const recordKeysOf = (reader: Snapshot, kind: Kind): string[] =>
  Array.from(reader.range(prefixOf(kind), successor(prefixOf(kind)), { keysOnly: true }), ({ key }) => key);
