import { compareValues, equalValues } from '../compare.js';
import { fail } from '../errors.js';
import { show } from '../show.js';
import { compileSort } from '../sort.js';
import { documentOf, type Document, isDocument, isNumeric, toNumber, typeName } from '../values.js';
import { isNullish, named, type OperatorReader, type OperatorTable, takes, unary, variadic } from './args.js';

function integerOf(value: unknown, code: number, message: string): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  return Number.isInteger(number) ? number : fail(code, message);
}

function arrayOf(value: unknown, code: number, message: string): unknown[] {
  return Array.isArray(value)
    ? (value as unknown[])
    : fail(code, `${message} must be an array, but is ${typeName(value)}`);
}

function elementAt([array, index]: unknown[], name: string): unknown {
  if (isNullish(array) || isNullish(index)) return null;
  const list = arrayOf(array, 28689, `${name}'s first argument`);
  return list.at(
    integerOf(index, 28691, `${name}'s second argument must be representable as a 32-bit integer: ${show(index)}`),
  );
}

const end = (at: 0 | -1): OperatorReader =>
  unary((array, name) => (isNullish(array) ? null : arrayOf(array, 28689, `${name}'s argument`).at(at)));

function concat(arrays: unknown[]): unknown {
  if (arrays.some(isNullish)) return null;
  return arrays.flatMap((array) =>
    Array.isArray(array)
      ? (array as unknown[])
      : fail(28664, `$concatArrays only supports arrays, not ${typeName(array)}`),
  );
}

function slice([array, second, third]: unknown[]): unknown {
  if (isNullish(array) || second === null || third === null) return null;
  const list = arrayOf(array, 28724, 'First argument to $slice');
  const position = integerOf(
    second,
    28725,
    `Second argument to $slice must be a numeric value, but is of type: ${typeName(second)}`,
  );
  if (third === undefined) return position >= 0 ? list.slice(0, position) : list.slice(position);
  const count = integerOf(third, 28727, `Third argument to $slice must be numeric, but is of type: ${typeName(third)}`);
  if (count <= 0) fail(28729, `Third argument to $slice must be positive: ${count}`);
  const start = position < 0 ? Math.max(0, list.length + position) : position;
  return list.slice(start, start + count);
}

function indexOf([array, wanted, from = 0, to]: unknown[]): unknown {
  if (isNullish(array)) return null;
  const list = arrayOf(array, 40090, '$indexOfArray requires an array as a first argument, which');
  const start = position(from, 'starting');
  const stop = Math.min(to === undefined ? list.length : position(to, 'ending'), list.length);
  for (let i = start; i < stop; i += 1) if (equalValues(list[i], wanted)) return i;
  return -1;
}

export function position(value: unknown, which: string): number {
  const number = integerOf(value, 40096, `the ${which} index must be an integral value`);
  return number < 0 ? fail(40097, `the ${which} index must be nonnegative`) : number;
}

function range([from, to, step = 1]: unknown[]): unknown {
  const start = integerOf(
    from,
    34443,
    `$range requires a numeric starting value, found value of type: ${typeName(from)}`,
  );
  const stop = integerOf(to, 34445, `$range requires a numeric ending value, found value of type: ${typeName(to)}`);
  const by = integerOf(step, 34447, `$range requires a numeric step value, found value of type: ${typeName(step)}`);
  if (by === 0) fail(34449, '$range requires a non-zero step value');
  const count = Math.max(0, Math.ceil((stop - start) / by));
  if (count > 1_000_000) fail('ExceededMemoryLimit', '$range would use too much memory');
  return Array.from({ length: count }, (_, i) => start + i * by);
}

function zip({ inputs, useLongestLength = false, defaults }: Document): unknown {
  if (isNullish(inputs)) return null;
  const lists = arrayOf(inputs, 34461, 'inputs');
  if (lists.some(isNullish)) return null;
  const arrays = lists.map((list) => arrayOf(list, 34468, '$zip found a non-array expression in input: it'));
  if (arrays.length === 0) fail(34465, '$zip requires at least one input array');
  if (defaults !== undefined && useLongestLength !== true)
    fail(34466, 'cannot specify defaults unless useLongestLength is true');
  const lengths = arrays.map((array) => array.length);
  const length = useLongestLength === true ? Math.max(...lengths) : Math.min(...lengths);
  const fill = Array.isArray(defaults) ? (defaults as unknown[]) : [];
  return Array.from({ length }, (_, i) => arrays.map((array, k) => (i < array.length ? array[i] : (fill[k] ?? null))));
}

function sortArray({ input, sortBy }: Document): unknown {
  if (isNullish(input)) return null;
  const list = arrayOf(input, 2942504, 'The input argument to $sortArray');
  if (isNumeric(sortBy)) {
    const direction = toNumber(sortBy);
    if (Math.abs(direction) !== 1) fail('BadValue', 'The $sort element value must be either 1 or -1');
    return [...list].sort((a, b) => direction * compareValues(a, b));
  }
  if (!isDocument(sortBy))
    return fail(
      2942507,
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  const compare = compileSort(sortBy);
  const asDocument = (value: unknown): Document => (isDocument(value) ? value : documentOf({}));
  return [...list].sort((a, b) => compare(asDocument(a), asDocument(b)));
}

/** `sortBy` is a specification, not an expression: its paths are no field paths. */
const sortArrayReader: OperatorReader = (operand, reader, name) => {
  const literal =
    isDocument(operand) && 'sortBy' in operand
      ? documentOf({ ...operand, sortBy: documentOf({ $literal: operand.sortBy }) })
      : operand;
  return named(['input', 'sortBy'], [], sortArray)(literal, reader, name);
};

/** `$firstN`, `$maxN` and their kin: n elements of an array. */
const someOf = (pick: (list: unknown[], n: number) => unknown[]): OperatorReader =>
  named(['n', 'input'], [], ({ n, input }, name) => {
    const count = countOf(n, name);
    if (isNullish(input)) return fail(5788200, `Input must be an array`);
    return pick(arrayOf(input, 5788200, 'Input'), count);
  });

/** The `n` of `$firstN` and its kin: a positive integer. */
export function countOf(n: unknown, name: string): number {
  const count = integerOf(n, 5787902, `Value for 'n' must be of integral type, but found ${typeName(n)} in ${name}`);
  return count > 0 ? count : fail(5787908, `'n' must be greater than 0, found ${count}`);
}

const present = (list: unknown[]): unknown[] => list.filter((value) => !isNullish(value));

export const ARRAYS: OperatorTable = {
  $arrayElemAt: takes(2, 2, elementAt),
  $first: end(0),
  $last: end(-1),
  $concatArrays: variadic(concat),
  $in: takes(2, 2, ([value, array]) =>
    arrayOf(array, 40081, '$in requires an array as a second argument, which').some((each) => equalValues(each, value)),
  ),
  $indexOfArray: takes(2, 4, indexOf),
  $isArray: unary((value) => Array.isArray(value)),
  $range: takes(2, 3, range),
  $reverseArray: unary((array) =>
    isNullish(array) ? null : arrayOf(array, 34435, 'The argument to $reverseArray').toReversed(),
  ),
  $size: unary((array) => arrayOf(array, 17124, 'The argument to $size').length),
  $slice: takes(2, 3, slice),
  $sortArray: sortArrayReader,
  $zip: named(['inputs'], ['useLongestLength', 'defaults'], zip),
  $firstN: someOf((list, n) => list.slice(0, n)),
  $lastN: someOf((list, n) => list.slice(-n)),
  $minN: someOf((list, n) => present(list).sort(compareValues).slice(0, n)),
  $maxN: someOf((list, n) =>
    present(list)
      .sort((a, b) => compareValues(b, a))
      .slice(0, n),
  ),
};
