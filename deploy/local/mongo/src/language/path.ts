import { isDocument } from './values.js';

/** Where in the outermost array a match was found; the positional operator `$` stands for it. */
export interface Position {
  index?: string;
}

/**
 * Whether any value that the path leads to passes the test, as the server's queries walk: an array on the way stands for
 * each of its documents (and for its n-th element where the path says a number); at the end of the path, with `expand`,
 * for each of its elements and itself. A path that leads to nothing is tested with `undefined`.
 */
export function anyAt(
  start: unknown,
  parts: readonly string[],
  from: number,
  expand: boolean,
  test: (value: unknown, position?: Position) => boolean,
  position?: Position,
): boolean {
  let value = start;
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(value)) return anyInArray(value, parts, i, expand, test, position);
    if (!isDocument(value)) return test(undefined);
    value = value[parts[i]!];
  }
  if (expand && Array.isArray(value)) {
    for (let k = 0; k < value.length; k += 1) if (test(value[k])) return found(position, k);
  }
  return test(value, position);
}

function anyInArray(
  array: readonly unknown[],
  parts: readonly string[],
  i: number,
  expand: boolean,
  test: (value: unknown, position?: Position) => boolean,
  position?: Position,
): boolean {
  const index = arrayIndex(parts[i]!);
  const last = i + 1 === parts.length;
  for (let k = 0; k < array.length; k += 1) {
    const element = array[k];
    if (isDocument(element) && anyAt(element, parts, i, expand, test, position)) return found(position, k);
    if (k !== index) continue;
    // A path that ends with the number means the element itself, not its elements.
    if (last ? test(element, position) : isContainer(element) && anyAt(element, parts, i + 1, expand, test, position)) {
      return found(position, k);
    }
  }
  return false;
}

const isContainer = (value: unknown): boolean => Array.isArray(value) || isDocument(value);

function found(position: Position | undefined, k: number): true {
  if (position) position.index = String(k);
  return true;
}

/** The number that a path component means as an array index; -1 if it is none ("01" is a name). */
export function arrayIndex(part: string): number {
  const first = part.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return -1;
  return /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1;
}
