import { UUID, type Binary } from 'bson';
import { Doc } from '../language/doc.js';
import { documentOf } from '../language/values.js';
import { CollectionIndex, type IndexSpec } from './collection-index.js';
import { Collection } from './collection.js';
import { numberIn, prefixOf, successor } from './keys.js';
import type { Snapshot } from './snapshot.js';
import type { Unit } from './unit.js';

/** The definition of a collection as the file holds it. */
interface Definition {
  ns: string;
  uuid: UUID;
  indexes: { number: number; spec: IndexSpec }[];
}

/** The collections by name, as the file or the transactions that make them define them. */
export class Catalog {
  readonly byNs = new Map<string, Collection>();
  /** The last number of a collection or an index. */
  #last = 0;

  /** Reads all definitions again. */
  load(reader: Snapshot): void {
    for (const collection of this.byNs.values()) collection.dropped = true;
    this.byNs.clear();
    for (const key of recordsOf(reader, 'collection')) {
      const number = this.#seen(numberIn(key));
      const { ns, uuid, indexes } = new Doc(reader.get(key)!).decoded as unknown as Definition;
      const collection = new Collection(number, ns, new UUID((uuid as Binary).buffer.subarray(0, 16)));
      for (const { number: index, spec } of indexes) {
        collection.indexes.push(new CollectionIndex(this.#seen(index), spec));
      }
      for (const index of collection.indexes) {
        index.multikey = index.isMultikeyStored = reader.get(prefixOf('multikey', index.number)) !== undefined;
      }
      collection.readCount(reader.get(collection.countKey));
      this.byNs.set(ns, collection);
    }
    for (const key of recordsOf(reader, 'garbage')) this.#seen(numberIn(key.slice(1)));
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

  /** A number that no collection and no index has, or had since its records were removed. */
  nextNumber(): number {
    return (this.#last += 1);
  }

  /** Stores the definition of a collection. */
  store(unit: Unit, { number, ns, uuid, indexes }: Collection): void {
    const stored = indexes.slice(1).map((index) => documentOf({ number: index.number, spec: index.spec }));
    unit.put(prefixOf('collection', number), Doc.of(documentOf({ ns, uuid, indexes: stored })).raw);
  }

  #seen(number: number): number {
    this.#last = Math.max(this.#last, number);
    return number;
  }
}

/** The keys of all records of a kind. */
export const recordsOf = (reader: Snapshot, kind: Parameters<typeof prefixOf>[0]): string[] =>
  Array.from(reader.range(prefixOf(kind), successor(prefixOf(kind)), { keysOnly: true }), ({ key }) => key);
