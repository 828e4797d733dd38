import { compareValues } from './compare.js';
import { fail, refuse } from './errors.js';
import { type Document, isDocument, isNumeric, toNumber } from './values.js';

export interface SortPart {
  path: string;
  direction: 1 | -1;
}

/** The parts of a sort specification. Throws as the server does on a bad one; `{ $meta }` is refused. */
export function parseSort(specification: Document): SortPart[] {
  return Object.entries(specification).map(([path, value]) => {
    if (isDocument(value)) refuse(`the sort ${Object.keys(value).join() || '{}'}`);
    const direction = isNumeric(value)
      ? toNumber(value)
      : fail('BadValue', `Illegal key in $sort specification: ${path}`);
    if (direction !== 1 && direction !== -1)
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    if (path === '' || path.split('.').includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
    if (path.split('.').some((part) => part.startsWith('$')))
      fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    return { path, direction };
  });
}

/** A comparator of documents for a sort such as `{ a: 1, 'b.c': -1 }`. A missing field sorts as null. */
export function compileSort(specification: Document): (a: Document, b: Document) => number {
  const parts = parseSort(specification).map(({ path, direction }) => ({
    key: compileSortKey(path, direction),
    direction,
  }));
  return (a, b) => {
    for (const { key, direction } of parts) {
      const order = compareValues(key(a), key(b));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

/** Sorts documents stably, computing every sort key once. */
export function sortDocuments(documents: Iterable<Document>, specification: Document): Document[] {
  const parts = parseSort(specification).map(({ path, direction }) => ({
    key: compileSortKey(path, direction),
    direction,
  }));
  const rows = Array.from(documents, (document) => ({ document, keys: parts.map(({ key }) => key(document)) }));
  rows.sort((a, b) => {
    for (let i = 0; i < parts.length; i += 1) {
      const order = compareValues(a.keys[i], b.keys[i]);
      if (order !== 0) return order * parts[i]!.direction;
    }
    return 0;
  });
  return rows.map(({ document }) => document);
}

/** What a document sorts by: of an array its least element, or its greatest when descending. */
export function compileSortKey(path: string, direction: 1 | -1): (document: Document) => unknown {
  const parts = path.split('.');
  return (document) => {
    const values = keysAt(document, parts, 0);
    if (values.length === 1) return values[0];
    return values.reduce((best, value) => (compareValues(value, best) * direction < 0 ? value : best));
  };
}

/**
 * The keys that an index on the path holds for a value: one an array element, `undefined` for an empty array, null where
 * the path leads to nothing.
 */
export function keysAt(value: unknown, parts: readonly string[], from: number): unknown[] {
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(value)) return keysInArray(value, parts, i);
    if (!isDocument(value)) return [null];
    value = value[parts[i]!];
  }
  if (Array.isArray(value)) return value.length === 0 ? [undefined] : (value as unknown[]);
  return [value === undefined ? null : value];
}

function keysInArray(array: readonly unknown[], parts: readonly string[], i: number): unknown[] {
  const part = parts[i]!;
  if (/^(0|[1-9]\d*)$/.test(part)) {
    // A number names an element, unless the elements are documents that have such a field.
    if (!array.some((element) => isDocument(element) && part in element))
      return keysAt(array[Number(part)], parts, i + 1);
  }
  if (array.length === 0) return [i === parts.length ? undefined : null];
  return array.flatMap((element) => (isDocument(element) ? keysAt(element, parts, i) : [null]));
}
