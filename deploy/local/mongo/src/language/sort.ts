import { compareValues } from './compare.js';
import { fail, unsupported } from './errors.js';
import { pathParts, valueAt } from './path.js';
import { type Document, isDocument, isNumeric, toNumber } from './values.js';

/**
 * Compiles a sort such as `{ a: 1, b: -1 }` into a comparator of documents. A missing field sorts as null. The
 * comparator throws for arrays.
 */
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

/** MongoDB's limit without `allowDiskUse`. */
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** Returns the items in order. Throws QueryExceededMemoryLimitNoDiskUseAllowed if their total size exceeds 100 MiB. */
export function sorted<T>(items: Iterable<T>, order: (a: T, b: T) => number, bytesOf: (item: T) => number): T[] {
  const all: T[] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    if (bytes > MAX_SORT_BYTES)
      fail('QueryExceededMemoryLimitNoDiskUseAllowed', `Sort exceeded memory limit of ${MAX_SORT_BYTES} bytes`);
    all.push(item);
  }
  return all.sort(order);
}

function sortKey(path: string, value: unknown): { keyOf: (document: Document) => unknown; direction: number } {
  if (isDocument(value)) unsupported(`the sort ${Object.keys(value).join() || '{}'}`);
  const direction = toNumber(value);
  if (!isNumeric(value) || Math.abs(direction) !== 1)
    fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  const parts = pathParts(path);
  const keyOf = (document: Document): unknown => {
    const key = valueAt(document, parts) ?? null;
    return Array.isArray(key) ? unsupported(`a sort by the array '${path}'`) : key;
  };
  return { keyOf, direction };
}
