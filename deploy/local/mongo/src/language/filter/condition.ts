import { type BSONRegExp, ObjectId } from 'bson';
import { compareValues, rankOf, RANK } from '../compare.js';
import { encodeValue } from '../key.js';
import { anyAt } from '../path.js';
import { type Document, isNumeric, toNumber } from '../values.js';
import { compileRegex } from './regex.js';

export type Matcher = (document: Document) => boolean;
export type Test = (value: unknown) => boolean;

/** What is asked of all values that a path leads to. */
export type Condition = (path: readonly string[]) => Matcher;

/** A test of single values. An array at the end of the path is tested element by element, then whole. */
export function leaf(test: Test): Condition {
  return (path) => {
    if (path.length > 1) return (document) => anyAt(document, path, 0, test);
    const name = path[0]!;
    return (document) => {
      const value = document[name];
      return typeof value === 'object' && value !== null ? anyAt(value, path, 1, test) : test(value);
    };
  };
}

export const not =
  (condition: Condition): Condition =>
  (path) => {
    const matches = condition(path);
    return (document) => !matches(document);
  };

export function every(matchers: readonly Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  return (document) => {
    for (const matches of matchers) if (!matches(document)) return false;
    return true;
  };
}

/** Passes what one of the tests passes. */
export function any<T>(tests: readonly ((value: T) => boolean)[]): (value: T) => boolean {
  if (tests.length === 1) return tests[0]!;
  return (value) => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };
}

/** Equality as queries mean it: numbers by value, null also for a missing field. */
export function equals(operand: unknown): Test {
  if (operand === null || operand === undefined) return (value) => value === null || value === undefined;
  if (typeof operand === 'string' || typeof operand === 'boolean') return (value) => value === operand;
  if (operand instanceof ObjectId) return equalsObjectId(operand);
  if (typeof operand === 'number' && !Number.isNaN(operand)) {
    return (value) =>
      value === operand || (typeof value !== 'number' && isNumeric(value) && compareValues(value, operand) === 0);
  }
  return (value) => rankOf(value) === rankOf(operand) && compareValues(value, operand) === 0;
}

function equalsObjectId(operand: ObjectId): Test {
  const bytes = operand.id;
  return (value) => {
    if (!(value instanceof ObjectId)) return false;
    const other = value.id;
    for (let i = 11; i >= 0; i -= 1) if (other[i] !== bytes[i]) return false;
    return true;
  };
}

export type Comparison = 'lt' | 'lte' | 'gt' | 'gte';

/** An order comparison. Only values of the operand's kind compare. */
export function compares(operator: Comparison, operand: unknown): Test {
  const orEqual = operator.endsWith('e');
  const sign = operator.startsWith('l') ? -1 : 1;
  if (operand === null) return orEqual ? equals(null) : () => false;
  const rank = rankOf(operand);
  const byOrder: Test = (value) => {
    if (rankOf(value) !== rank) return false;
    const order = compareValues(value, operand);
    return order === 0 ? orEqual : Math.sign(order) === sign;
  };
  if (rank !== RANK.number) return byOrder;
  // NaN is neither less nor greater than a number; it is only "less or equal" to itself.
  const isNaN = Number.isNaN(toNumber(operand));
  return (value) => (isNumeric(value) && Number.isNaN(toNumber(value)) ? isNaN && orEqual : !isNaN && byOrder(value));
}

/** Strings that match. */
export function matchesRegex(regex: BSONRegExp): Test {
  const compiled = compileRegex(regex);
  return (value) => typeof value === 'string' && compiled.test(value);
}

/** Lists that are longer than this are looked up by key, not compared one by one. */
const SHORT_LIST = 8;

/** Whether the value is one of a list. */
export const isIn = (values: readonly unknown[]): Test =>
  values.length > SHORT_LIST ? hasKeyOf(values) : any(values.map(equals));

/** Values that are equal have the same key; a missing field counts as null. */
function hasKeyOf(values: readonly unknown[]): Test {
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  const keys = new Set(values.map(encodeValue));
  return (value) => (typeof value === 'string' ? strings.has(value) : keys.has(encodeValue(value ?? null)));
}
