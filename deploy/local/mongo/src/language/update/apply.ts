import { fail, show } from '../errors.js';
import { arrayIndex } from '../path.js';
import { copyDocument, type Document, isDocument, newDocument } from '../values.js';
import { type ArrayFilters, identifierIn } from './array-filters.js';
import type { Change } from './parse.js';

/** How far beyond its end an array may be extended with nulls in one step. */
const MAX_PADDING = 1_500_000;

export interface ApplyContext {
  document: Document;
  /** An upsert's insert: `$setOnInsert` takes part. */
  insert: boolean;
  filters: ArrayFilters;
}

/** The document after the changes; the same object if nothing changed. Copies only what it changes. */
export function applyChanges(changes: readonly Change[], context: ApplyContext): Document {
  const application = new Application(context);
  const wanted = changes.filter(({ modifier }) => context.insert || !modifier.insertOnly);
  return wanted.reduce((document, change) => application.apply(change, document), context.document);
}

const lastOf = (parts: readonly string[]): string => parts.at(-1) ?? '';

class Application {
  /** Documents and arrays that were copied, and may be changed in place. */
  readonly #copies = new Set<unknown>();

  constructor(private readonly context: ApplyContext) {}

  apply(change: Change, document: Document): Document {
    return this.#at(change, [], document, this.context.document) as Document;
  }

  /** The value at a path after the change. Array filters are asked of `before`, the value before the update. */
  #at(change: Change, path: readonly string[], value: unknown, before: unknown): unknown {
    const { parts, modifier } = change;
    const part = parts[path.length];
    if (part === undefined) return modifier.apply(value, { document: this.context.document, path: path.join('.') });
    const identifier = identifierIn(part);
    if (identifier !== undefined) return this.#elements(change, path, identifier, value, before);
    if (isDocument(value)) return this.#field(change, [...path, part], value, before);
    const index = Array.isArray(value) ? arrayIndex(part) : -1;
    if (index >= 0) return this.#element(change, [...path, part], value as unknown[], index, before);
    if (!modifier.creates && !parts.slice(path.length).some(identifierIn)) return value;
    if (value !== undefined)
      fail('PathNotViable', `Cannot create field '${part}' in element {${lastOf(path)}: ${show(value)}}`);
    const made = this.#field(change, [...path, part], newDocument(), undefined);
    return Object.keys(made).length === 0 ? undefined : made;
  }

  #field(change: Change, path: readonly string[], document: Document, before: unknown): Document {
    const name = lastOf(path);
    const after = this.#at(change, path, document[name], isDocument(before) ? before[name] : undefined);
    if (Object.is(after, document[name])) return document;
    const copy = this.#own(document, copyDocument);
    if (after === undefined) delete copy[name];
    else copy[name] = after;
    return copy;
  }

  #element(change: Change, path: readonly string[], array: unknown[], index: number, before: unknown): unknown[] {
    const after = this.#at(change, path, array[index], Array.isArray(before) ? before[index] : undefined);
    if (Object.is(after, array[index])) return array;
    if (index > array.length + MAX_PADDING) fail('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
    const copy = this.#own(array, (each) => [...each]);
    while (copy.length < index) copy.push(null);
    // An element cannot be taken out by its path: $unset leaves a null.
    copy[index] = after === undefined ? null : after;
    return copy;
  }

  #elements(change: Change, path: readonly string[], identifier: string, value: unknown, before: unknown): unknown {
    const at = path.join('.');
    if (value === undefined)
      fail('BadValue', `The path '${at}' must exist in the document in order to apply array updates.`);
    if (!Array.isArray(value) || !Array.isArray(before))
      return fail('BadValue', `Cannot apply array updates to non-array element ${lastOf(path)}: ${show(value)}`);
    const matches = this.context.filters.get(identifier)!;
    return before.reduce<unknown[]>(
      (array, element, k) => (matches(element) ? this.#element(change, [...path, String(k)], array, k, before) : array),
      value,
    );
  }

  #own<T extends object>(value: T, copyOf: (value: T) => T): T {
    if (this.#copies.has(value)) return value;
    const copy = copyOf(value);
    this.#copies.add(copy);
    return copy;
  }
}
