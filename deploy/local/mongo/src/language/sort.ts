import { compareValues } from './compare.js';
import { fail, refuse } from './errors.js';
import { checkedParts } from './expression.js';
import { type Document, isDocument, isNumeric, toNumber } from './values.js';

/** The parts of a sort specification. Throws as the server does on a bad one; `{ $meta }` is refused. */
function parseSort(specification: Document): { path: string; direction: 1 | -1 }[] {
  return Object.entries(specification).map(([path, value]) => {
    if (isDocument(value)) refuse(`the sort ${Object.keys(value).join() || '{}'}`);
    const direction = isNumeric(value)
      ? toNumber(value)
      : fail('BadValue', `Illegal key in $sort specification: ${path}`);
    if (direction !== 1 && direction !== -1)
      return fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    checkedParts(path);
    return { path, direction };
  });
}

/** A comparator of documents for a sort such as `{ a: 1, 'b.c': -1 }`. A missing field sorts as null. */
export function compileSort(specification: Document): (a: Document, b: Document) => number {
  const parts = parseSort(specification).map(({ path, direction }) => ({ key: sortKey(path, direction), direction }));
  return (a, b) => {
    for (const { key, direction } of parts) {
      const order = compareValues(key(a), key(b));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

/** What a document sorts by: of an array its least element, or its greatest when descending. */
function sortKey(path: string, direction: 1 | -1): (document: Document) => unknown {
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
