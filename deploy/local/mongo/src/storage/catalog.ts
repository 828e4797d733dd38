import { UUID, type Binary } from 'bson';
import { Doc } from '../bson/doc.js';
import type { RawDoc } from '../bson/raw.js';
import { documentOf } from '../language/values.js';
import type { CollectionIndex, IndexSpec } from './collection-index.js';
import { Collection, type CollectionOptions, type Timeline } from './collection.js';

/** A change of the catalog as the log holds it. */
export type CatalogChange =
  | { op: 'create'; id: number; ns: string; uuid: UUID; options: CollectionOptions }
  | { op: 'drop'; id: number; ns: string }
  | { op: 'options'; id: number; options: CollectionOptions }
  | { op: 'addIndex' | 'changeIndex'; id: number; spec: IndexSpec }
  | { op: 'dropIndex'; id: number; name: string };

/** The raw form of a change, for the log. */
export const rawChange = (change: CatalogChange): RawDoc => Doc.of(documentOf({ ...change })).raw;

export const creation = ({ id, ns, uuid, options }: Collection): CatalogChange => ({
  op: 'create',
  id,
  ns,
  uuid,
  options,
});
export const indexAddition = (collection: Collection, index: CollectionIndex): CatalogChange => ({
  op: 'addIndex',
  id: collection.id,
  spec: index.spec,
});

/** The collections by name and by number, as they follow from the changes of the log. */
export class Catalog {
  readonly byNs = new Map<string, Collection>();
  readonly byId = new Map<number, Collection>();
  #lastId = 0;

  constructor(private readonly timeline: Timeline) {}

  create(ns: string): Collection {
    return this.#add(new Collection(this.timeline, (this.#lastId += 1), ns));
  }

  drop(collection: Collection): void {
    collection.dropped = true;
    if (this.byNs.get(collection.ns) === collection) this.byNs.delete(collection.ns);
    this.byId.delete(collection.id);
  }

  /** Applies a change that the log holds. Indexes stay empty: they are built when all of the log is read. */
  replay(raw: RawDoc): void {
    const change = new Doc(raw).decoded as unknown as CatalogChange;
    if (change.op === 'create') {
      this.#lastId = Math.max(this.#lastId, change.id);
      this.#add(new Collection(this.timeline, change.id, change.ns, change.options, uuidOf(change.uuid)));
      return;
    }
    const collection = this.byId.get(change.id);
    if (collection) replayOn(this, collection, change);
  }

  /** The changes that make this catalog out of nothing. */
  changes(): CatalogChange[] {
    return [...this.byId.values()]
      .filter(({ creator }) => creator === null)
      .flatMap((collection) => [
        creation(collection),
        ...collection.indexes.slice(1).map((index) => indexAddition(collection, index)),
      ]);
  }

  #add(collection: Collection): Collection {
    this.byNs.set(collection.ns, collection);
    this.byId.set(collection.id, collection);
    return collection;
  }
}

const uuidOf = (value: unknown): UUID => new UUID((value as Binary).buffer.subarray(0, 16));

function replayOn(catalog: Catalog, collection: Collection, change: Exclude<CatalogChange, { op: 'create' }>): void {
  switch (change.op) {
    case 'drop':
      return catalog.drop(collection);
    case 'options':
      collection.setOptions(change.options);
      return;
    case 'addIndex':
      collection.declareIndex(change.spec);
      return;
    case 'changeIndex':
      collection.changeIndex(change.spec);
      return;
    case 'dropIndex':
      collection.dropIndex(change.name);
  }
}
