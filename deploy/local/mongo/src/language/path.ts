import { isDocument } from './values.js';

/**
 * Whether any value that the path leads to passes the test, as the server's queries walk: an array on the way stands for
 * each of its documents (and for its n-th element where the path says a number); at the end of the path, for each of its
 * elements and itself. A path that leads to nothing is tested with `undefined`.
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
  const last = i + 1 === parts.length;
  return array.some((element, k) => {
    if (isDocument(element) && anyAt(element, parts, i, test)) return true;
    if (k !== index) return false;
    // A path that ends with the number means the element itself, not its elements.
    return last ? test(element) : isContainer(element) && anyAt(element, parts, i + 1, test);
  });
}

const isContainer = (value: unknown): boolean => Array.isArray(value) || isDocument(value);

/** The number that a path component means as an array index; -1 if it is none ("01" is a name). */
export function arrayIndex(part: string): number {
  const first = part.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return -1;
  return /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
}
