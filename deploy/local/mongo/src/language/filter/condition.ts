import type { BSONRegExp } from 'bson';
import { compareValues } from '../compare.js';
import { encodeValue, RANK, rankOf } from '../key.js';
import { valueAt } from '../path.js';
import { type Document, isNumeric, toNumber } from '../values.js';
import { compileRegex } from './regex.js';

export type Matcher = (document: Document) => boolean;
export type Test = (value: unknown) => boolean;

/**
 * Matches documents whose value at the path passes the test. An array at the end of the path passes if one of its
 * elements or the whole array does.
 */
export function hasAny(path: readonly string[], test: Test): Matcher {
  const name = path[0]!;
  return (document) => {
    const value = path.length > 1 ? valueAt(document, path) : document[name];
    return (Array.isArray(value) && value.some((element) => test(element))) || test(value);
  };
}

export const not =
  (matches: Matcher): Matcher =>
  (document) =>
    !matches(document);

export function every(matchers: readonly Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  return (document) => {
    for (const matches of matchers) if (!matches(document)) return false;
    return true;
  };
}

/** Accepts a value if at least one of the tests accepts it. */
export function any<T>(tests: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  if (tests.length === 1) return tests[0]!;
  return (value) => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };
}

/**
 * Tests equality as queries do: compares numbers by value regardless of their type; null also equals a missing field.
 */
export function equals(operand: unknown): Test {
  if (operand === null || operand === undefined) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  if (typeof operand === 'number' && !Number.isNaN(operand)) {
    return (value) =>
      value === operand || (typeof value !== 'number' && isNumeric(value) && compareValues(value, operand) === 0);
  }
  return (value) => rankOf(value) === rankOf(operand) && compareValues(value, operand) === 0;
}

/** Compiles `$lt`, `$lte`, `$gt` or `$gte`. Only values of the operand's type can match; all numbers are one type. */
export function compares(operator: string, operand: unknown): Test {
  const orEqual = operator.endsWith('e');
  const sign = operator.startsWith('$l') ? -1 : 1;
  if (operand === null) return orEqual ? equals(null) : () => false;
  const rank = rankOf(operand);
  // NaN is neither less nor greater than a number.
  const isNaN = Number.isNaN(toNumber(operand));
  const isNumber = rank === RANK.number;
  return (value) => {
    if (rankOf(value) !== rank) return false;
    const order = compareValues(value, operand);
    if (order === 0) return orEqual;
    return Math.sign(order) === sign && !(isNumber && (isNaN || Number.isNaN(toNumber(value))));
  };
}

/** Accepts strings that match the regular expression. */
export function matchesRegex(regex: BSONRegExp): Test {
  const compiled = compileRegex(regex);
  return (value) => typeof value === 'string' && compiled.test(value);
}

/** Lists of at most this length are compared value by value, longer ones by key. */
const MAX_COMPARED_VALUES = 8;

/** Accepts values in a list. Equal values have equal keys; a missing field counts as null. */
export function isIn(values: readonly unknown[]): Test {
  if (values.length <= MAX_COMPARED_VALUES) return any(values.map(equals));
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  const keys = new Set(values.map(encodeValue));
  return (value) => (typeof value === 'string' ? strings.has(value) : keys.has(encodeValue(value ?? null)));
}
