import type { DocRecord } from './record.js';

/**
 * The order of the entries of an index, by key and then by record id, as positions. Of each key as much as fits is packed
 * together with the position into one number, so that the native sort of numbers does most of the work.
 */
export function sortedOrder(
  keys: readonly string[],
  records: readonly DocRecord[],
): ArrayLike<number> & Iterable<number> {
  const compare = (a: number, b: number): number => {
    const [x, y] = [keys[a]!, keys[b]!];
    return x < y ? -1 : x > y ? 1 : records[a]!.rid - records[b]!.rid;
  };
  if (ordered(keys.length, compare)) return Uint32Array.from({ length: keys.length }, (_, i) => i);
  const places = 2 ** Math.ceil(Math.log2(keys.length));
  const width = Math.floor((53 - Math.log2(places)) / 8);
  const skip = commonPrefix(keys);
  const packed = Float64Array.from(keys, (key, i) => prefixNumber(key, skip, width) * places + i).sort();
  const order = Uint32Array.from(packed, (number) => number % places);
  sortRuns(order, packed, places, compare);
  return order;
}

function ordered(length: number, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < length; i += 1) if (compare(i - 1, i) > 0) return false;
  return true;
}

/** How many characters all keys begin with alike, judged by the least and the greatest. */
function commonPrefix(keys: readonly string[]): number {
  let [low, high] = [keys[0]!, keys[0]!];
  for (const key of keys) {
    if (key < low) low = key;
    else if (key > high) high = key;
  }
  let at = 0;
  while (at < low.length && low[at] === high[at]) at += 1;
  return at;
}

function prefixNumber(key: string, skip: number, width: number): number {
  let number = 0;
  for (let i = skip; i < skip + width; i += 1) number = number * 256 + (i < key.length ? key.charCodeAt(i) : 0);
  return number;
}

/** Sorts the stretches whose packed prefixes are equal. */
function sortRuns(
  order: Uint32Array,
  packed: Float64Array,
  places: number,
  compare: (a: number, b: number) => number,
): void {
  let start = 0;
  for (let i = 1; i <= order.length; i += 1) {
    if (i < order.length && Math.floor(packed[i]! / places) === Math.floor(packed[start]! / places)) continue;
    if (i - start > 1) order.subarray(start, i).sort(compare);
    start = i;
  }
}
