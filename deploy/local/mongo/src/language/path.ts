import { fail, refuse } from './errors.js';
import { isDocument } from './values.js';

/**
 * Whether any value at the path passes the test, by the rules of queries: an array on the way stands for each of its documents (and
 * for its n-th element if the path has a number); at the end, for each of its elements and itself. A missing value is `undefined`.
 */
export function anyAt(
  start: unknown,
  parts: readonly string[],
  from: number,
  test: (value: unknown) => boolean,
): boolean {
  let value = start;
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(value)) return anyInArray(value, parts, i, test);
    if (!isDocument(value)) return test(undefined);
    value = value[parts[i]!];
  }
  return (Array.isArray(value) && value.some((element) => test(element))) || test(value);
}

function anyInArray(
  array: readonly unknown[],
  parts: readonly string[],
  i: number,
  test: (value: unknown) => boolean,
): boolean {
  const index = arrayIndex(parts[i]!);
  const isLast = i + 1 === parts.length;
  return array.some((element, k) => {
    if (isDocument(element) && anyAt(element, parts, i, test)) return true;
    if (k !== index) return false;
    // A path that ends with a number means the element itself, not its elements.
    return isLast
      ? test(element)
      : (Array.isArray(element) || isDocument(element)) && anyAt(element, parts, i + 1, test);
  });
}

/** Returns the array index that a path component denotes; -1 if it is none ("01" is a name). */
export const arrayIndex = (part: string): number => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1);

/** Returns the value at a path; undefined if it is missing. Refuses an array before the end of the path. */
export function valueAt(document: unknown, parts: readonly string[]): unknown {
  let value = document;
  for (const part of parts) {
    if (Array.isArray(value)) refuse(`an array before the end of the path '${parts.join('.')}'`);
    value = isDocument(value) ? value[part] : undefined;
  }
  return value;
}

/** Returns the parts of a path. Throws the server's error for an invalid name. */
export function pathParts(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') fail(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    if (part.includes('\0')) fail(16411, 'FieldPath field names may not contain null characters.');
  }
  return parts;
}
