import { BSONRegExp, type BSONSymbol, ObjectId } from 'bson';
import { compareValues, rankOf } from '../compare.js';
import { encodeValue } from '../key.js';
import { anyAt, type Position } from '../path.js';
import { type Document, isDecimal, isNumeric, toNumber } from '../values.js';
import { compileRegex } from './regex.js';

export type Matcher = (document: Document, position?: Position) => boolean;
export type Test = (value: unknown, position?: Position) => boolean;

/** What is asked of a field: `at` asks it of all that a path leads to, `on` of one value (an element under $elemMatch). */
export interface Condition {
  at(path: readonly string[]): Matcher;
  on: Test;
}

/** A test of single values. With `expand`, an array at the end of the path is tested element by element, then whole. */
export function leaf(test: Test, expand = true): Condition {
  return {
    on: test,
    at(path) {
      if (path.length > 1) return (document, position) => anyAt(document, path, 0, expand, test, position);
      const name = path[0]!;
      return (document, position) => {
        const value = document[name];
        return typeof value === 'object' && value !== null
          ? anyAt(value, path, 1, expand, test, position)
          : test(value, position);
      };
    },
  };
}

export function allOf(conditions: readonly Condition[]): Condition {
  if (conditions.length === 1) return conditions[0]!;
  return {
    on: (value, position) => conditions.every((condition) => condition.on(value, position)),
    at: (path) => every(conditions.map((condition) => condition.at(path))),
  };
}

export function not(condition: Condition): Condition {
  return {
    on: (value) => !condition.on(value),
    at(path) {
      const matches = condition.at(path);
      return (document) => !matches(document);
    },
  };
}

export function every(matchers: readonly Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  return (document, position) => {
    for (const matches of matchers) if (!matches(document, position)) return false;
    return true;
  };
}

/** Equality as queries mean it: numbers by value, null also for a missing field. */
export function equals(operand: unknown): Test {
  if (operand === null || operand === undefined) return (value) => value === null || value === undefined;
  if (typeof operand === 'string')
    return (value) => value === operand || (isObject(value) && equalWithin(value, operand));
  if (typeof operand === 'boolean') return (value) => value === operand;
  if (operand instanceof ObjectId) return equalsObjectId(operand);
  if (typeof operand === 'number' && !Number.isNaN(operand)) {
    return (value) =>
      value === operand || (typeof value !== 'number' && isNumeric(value) && compareValues(value, operand) === 0);
  }
  return (value) => equalWithin(value, operand);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const equalWithin = (value: unknown, operand: unknown): boolean =>
  rankOf(value) === rankOf(operand) && compareValues(value, operand) === 0;

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

/** An order comparison. Only values of the operand's kind compare, except with MinKey and MaxKey. */
export function compares(operator: Comparison, operand: unknown): Test {
  const orEqual = operator.endsWith('e');
  const sign = operator.startsWith('l') ? -1 : 1;
  const rank = rankOf(operand);
  if (operand === null) return orEqual ? equals(null) : () => false;
  if (isNumeric(operand)) return comparesNumber(sign, orEqual, operand);
  const beyond = rank === 127 || rank === 1;
  const others = (rank === 127 && sign < 0) || (rank === 1 && sign > 0);
  return (value) => {
    if (rankOf(value) !== rank) return beyond && others;
    const order = compareValues(value, operand);
    return order === 0 ? orEqual : Math.sign(order) === sign;
  };
}

/** NaN is neither less nor greater than a number; it is only "less or equal" to itself. */
function comparesNumber(sign: number, orEqual: boolean, operand: unknown): Test {
  if (Number.isNaN(toNumber(operand))) return (value) => orEqual && isNumeric(value) && Number.isNaN(toNumber(value));
  if (typeof operand === 'number') {
    return (value) => {
      if (typeof value !== 'number') return comparesMixed(sign, orEqual, operand, value);
      return value === operand ? orEqual : sign < 0 ? value < operand : value > operand;
    };
  }
  return (value) => comparesMixed(sign, orEqual, operand, value);
}

function comparesMixed(sign: number, orEqual: boolean, operand: unknown, value: unknown): boolean {
  if (!isNumeric(value) || (!isDecimal(value) && Number.isNaN(toNumber(value)))) return false;
  if (isDecimal(value) && value.toString() === 'NaN') return false;
  const order = compareValues(value, operand);
  return order === 0 ? orEqual : Math.sign(order) === sign;
}

/** Strings that match, and the same regular expression stored as a value. */
export function matchesRegex(regex: BSONRegExp): Test {
  const compiled = compileRegex(regex);
  return (value) => {
    if (typeof value === 'string') return compiled.test(value);
    if (value instanceof BSONRegExp) return compareValues(value, regex) === 0;
    return rankOf(value) === 15 && compiled.test((value as BSONSymbol).value);
  };
}

/** Lists that are longer than this are looked up by key, not compared one by one. */
const SHORT_LIST = 8;

/** Whether the value is one of a list, which may hold regular expressions. */
export function isIn(values: readonly unknown[]): Test {
  const patterns = values.filter((value) => value instanceof BSONRegExp).map(matchesRegex);
  const plain = values.filter((value) => !(value instanceof BSONRegExp));
  const isOne = plain.length > SHORT_LIST ? hasKeyOf(plain) : isAnyOf(plain.map(equals));
  return patterns.length === 0 ? isOne : isAnyOf([isOne, ...patterns]);
}

const isAnyOf =
  (tests: readonly Test[]): Test =>
  (value) => {
    for (const test of tests) if (test(value)) return true;
    return false;
  };

/** Values that are equal have the same key; a missing field counts as null. */
function hasKeyOf(values: readonly unknown[]): Test {
  const strings = new Set(values.filter((value) => typeof value === 'string'));
  const keys = new Set(values.map(encodeValue));
  return (value) => (typeof value === 'string' && strings.has(value)) || keys.has(encodeValue(value ?? null));
}
