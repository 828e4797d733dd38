import { compareValues } from './compare.js';
import { fail, refuse } from './errors.js';
import { arrayIndex, pathParts } from './path.js';
import { type Document, isDocument, isNumeric, toNumber } from './values.js';

/** Compiles a sort such as `{ a: 1, b: -1 }` into a comparator of documents. A missing field sorts as null. */
export function compileSort(specification: Document): (a: Document, b: Document) => number {
  const keys = Object.entries(specification).map(([path, value]) => sortKey(path, value));
  return (a, b) => {
    for (const { keyOf, direction } of keys) {
      const order = compareValues(keyOf(a), keyOf(b));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

/** An array sorts by its least element, or its greatest when descending. */
function sortKey(path: string, value: unknown): { keyOf: (document: Document) => unknown; direction: number } {
  if (isDocument(value)) refuse(`the sort ${Object.keys(value).join() || '{}'}`);
  if (!isNumeric(value)) fail('BadValue', `Illegal key in $sort specification: ${path}`);
  const direction = toNumber(value);
  if (Math.abs(direction) !== 1) fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  const parts = pathParts(path);
  const keyOf = (document: Document): unknown =>
    keysAt(document, parts, 0).reduce((best, each) => (compareValues(each, best) * direction < 0 ? each : best));
  return { keyOf, direction };
}

/** Returns the keys of an index on the path: one per array element, `undefined` for an empty array, null if missing. */
export function keysAt(value: unknown, parts: readonly string[], from: number): unknown[] {
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(value)) return keysInArray(value, parts, i);
    if (!isDocument(value)) return [null];
    value = value[parts[i]!];
  }
  if (!Array.isArray(value)) return [value ?? null];
  return value.length === 0 ? [undefined] : (value as unknown[]);
}

function keysInArray(array: readonly unknown[], parts: readonly string[], i: number): unknown[] {
  const part = parts[i]!;
  const index = arrayIndex(part);
  // A number names an element, unless the elements are documents with such a field.
  const isIndex = index >= 0 && !array.some((element) => isDocument(element) && part in element);
  if (isIndex) return keysAt(array[index], parts, i + 1);
  if (array.length === 0) return [null];
  return array.flatMap((element) => (isDocument(element) ? keysAt(element, parts, i) : [null]));
}
