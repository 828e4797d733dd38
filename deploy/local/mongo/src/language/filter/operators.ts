import { BSONRegExp } from 'bson';
import { fail, refuse } from '../errors.js';
import { type Document, isDocument, isNumeric, T, toNumber, typeNumber, typeOf } from '../values.js';
import { isTrue } from '../truth.js';
import { bits } from './bits.js';
import { makeRegex } from './regex.js';
import {
  allOf,
  compares,
  type Comparison,
  type Condition,
  equals,
  isIn,
  leaf,
  matchesRegex,
  not,
} from './condition.js';

/** What operators need from the filter that holds them: how `$elemMatch` compiles its inner filter. */
export interface OperatorContext {
  path: string;
  compileInner(filter: Document): (document: Document) => boolean;
}

type Operator = (operand: unknown, context: OperatorContext, siblings: Document) => Condition | undefined;

const comparison =
  (operator: Comparison): Operator =>
  (operand, { path }) => {
    if (operand instanceof BSONRegExp) fail('BadValue', `Can't have RegEx as arg to predicate over field '${path}'.`);
    return leaf(compares(operator, operand));
  };

const OPERATORS: Record<string, Operator> = {
  $eq: (operand) => leaf(equals(operand)),
  $ne: (operand) => {
    if (operand instanceof BSONRegExp) fail('BadValue', "Can't have regex as arg to $ne.");
    return not(leaf(equals(operand)));
  },
  $lt: comparison('lt'),
  $lte: comparison('lte'),
  $gt: comparison('gt'),
  $gte: comparison('gte'),
  $in: (operand) => leaf(isIn(listFor('$in', operand))),
  $nin: (operand) => not(leaf(isIn(listFor('$nin', operand)))),
  $exists: (operand) =>
    isTrue(operand) ? leaf((value) => value !== undefined) : not(leaf((value) => value !== undefined)),
  $type: (operand) => typeCondition(operand),
  $size: (operand) => {
    const size = sizeOf(operand);
    return leaf((value) => Array.isArray(value) && value.length === size, false);
  },
  $mod: (operand) => leaf(modulo(operand)),
  $all: (operand, context) => allElements(operand, context),
  $elemMatch: (operand, context) => elemMatch(operand, context),
  $not: (operand, context) => not(negated(operand, context)),
  $regex: (operand, _context, siblings) => leaf(matchesRegex(regexOf(operand, siblings))),
  $options: (_operand, _context, siblings) =>
    '$regex' in siblings ? undefined : fail('BadValue', '$options needs a $regex'),
  $bitsAllSet: (operand) => leaf(bits('$bitsAllSet', operand)),
  $bitsAllClear: (operand) => leaf(bits('$bitsAllClear', operand)),
  $bitsAnySet: (operand) => leaf(bits('$bitsAnySet', operand)),
  $bitsAnyClear: (operand) => leaf(bits('$bitsAnyClear', operand)),
};

const REFUSED = new Set([
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$maxDistance',
  '$minDistance',
  '$geoNear',
]);

/** The conditions of `{ $gt: 1, $lt: 5 }`. */
export function compileOperators(specification: Document, context: OperatorContext): Condition {
  const conditions: Condition[] = [];
  for (const name in specification) {
    if (REFUSED.has(name)) refuse(name);
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name]! : fail('BadValue', `unknown operator: ${name}`);
    const condition = operator(specification[name], context, specification);
    if (condition) conditions.push(condition);
  }
  return allOf(conditions);
}

/** Whether a field's specification is operators rather than a value to equal; `{ $ref, $id }` is a value. */
export function isOperators(specification: unknown): specification is Document {
  if (!isDocument(specification)) return false;
  for (const first in specification)
    return first.startsWith('$') && !('$ref' in specification && '$id' in specification);
  return false;
}

/** Whether a name is an operator on a field (`$gt`), not on a whole document (`$or`). */
export function isFieldOperator(name: string | undefined): boolean {
  return name !== undefined && (Object.hasOwn(OPERATORS, name) || REFUSED.has(name));
}

export function listFor(operator: string, operand: unknown): unknown[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} needs an array`);
  for (const value of operand) if (isOperators(value)) fail('BadValue', `cannot nest $ under ${operator}`);
  return operand as unknown[];
}

export function regexOf(operand: unknown, siblings: Document): BSONRegExp {
  const options = siblings.$options;
  if (options !== undefined && typeof options !== 'string') fail('BadValue', '$options has to be a string');
  if (operand instanceof BSONRegExp) {
    if (operand.options && options) fail(51075, 'options set in both $regex and $options');
    return options ? makeRegex(operand.pattern, options) : operand;
  }
  if (typeof operand !== 'string') return fail('BadValue', '$regex has to be a string');
  return makeRegex(operand, options ?? '');
}

function typeCondition(operand: unknown): Condition {
  const types = new Set<number>();
  const list = Array.isArray(operand) ? operand : [operand];
  if (list.length === 0) fail('FailedToParse', '$type must match at least one type');
  for (const type of list) for (const number of typesOf(type)) types.add(number);
  return leaf((value) => value !== undefined && types.has(typeOf(value)));
}

function typesOf(type: unknown): number[] {
  if (type === 'number') return [T.double, T.int, T.long, T.decimal];
  if (typeof type === 'string') return [typeNumber(type) ?? fail('BadValue', `Unknown type name alias: ${type}`)];
  if (!isNumeric(type)) return fail('TypeMismatch', 'type must be represented as a number or a string');
  const number = toNumber(type);
  if (number === 0) fail('FailedToParse', 'Invalid numerical type code: 0. Instead use {$exists:false}.');
  if (!(Object.values(T) as number[]).includes(number)) fail('BadValue', `Invalid numerical type code: ${number}`);
  return [number];
}

function sizeOf(operand: unknown): number {
  const size = isNumeric(operand) ? toNumber(operand) : NaN;
  if (!Number.isInteger(size)) fail('FailedToParse', `Failed to parse $size. Expected an integer in: $size`);
  if (size < 0) fail('FailedToParse', `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return size;
}

function modulo(operand: unknown): (value: unknown) => boolean {
  if (!Array.isArray(operand)) return fail('BadValue', 'malformed mod, needs to be an array');
  if (operand.length < 2) fail('BadValue', 'malformed mod, not enough elements');
  if (operand.length > 2) fail('BadValue', 'malformed mod, too many elements');
  if (!isNumeric(operand[0])) fail('BadValue', 'malformed mod, divisor not a number');
  if (!isNumeric(operand[1])) fail('BadValue', 'malformed mod, remainder not a number');
  const divisor = integerPart(operand[0]) ?? fail('BadValue', 'malformed mod, divisor value is invalid');
  const remainder = integerPart(operand[1]) ?? fail('BadValue', 'malformed mod, remainder value is invalid');
  if (divisor === 0n) fail('BadValue', 'divisor cannot be 0');
  return (value) => {
    const integer = isNumeric(value) ? integerPart(value) : undefined;
    return integer !== undefined && integer % divisor === remainder;
  };
}

/** The number without its fraction; undefined if it is no 64-bit integer. */
function integerPart(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const truncated = Math.trunc(toNumber(value));
  return Math.abs(truncated) < 2 ** 63 ? BigInt(truncated) : undefined;
}

function allElements(operand: unknown, context: OperatorContext): Condition {
  if (!Array.isArray(operand)) return fail('BadValue', '$all needs an array');
  if (operand.length === 0) return leaf(() => false);
  const nested = operand.filter((value) => isDocument(value) && '$elemMatch' in value).length;
  if (nested > 0 && nested < operand.length) fail('BadValue', '$all/$elemMatch has to be consistent');
  return allOf(
    operand.map((value: unknown) => {
      if (nested > 0) return compileOperators(value as Document, context);
      if (isOperators(value)) fail('BadValue', 'no $ expressions in $all');
      return leaf(value instanceof BSONRegExp ? matchesRegex(value) : equals(value));
    }),
  );
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$where', '$expr', '$comment']);

/** The elements are asked with operators (`{ $gt: 1 }`) or, if they are documents or arrays, with a filter. */
function elemMatch(operand: unknown, context: OperatorContext): Condition {
  if (!isDocument(operand)) return fail('BadValue', '$elemMatch needs an Object');
  const test =
    isOperators(operand) && !LOGICAL.has(Object.keys(operand)[0]!)
      ? compileOperators(operand, context).on
      : documentTest(operand, context);
  return leaf((value, position) => {
    if (!Array.isArray(value)) return false;
    const k = value.findIndex((element) => test(element));
    if (k >= 0 && position) position.index = String(k);
    return k >= 0;
  }, false);
}

function documentTest(operand: Document, context: OperatorContext): (value: unknown) => boolean {
  const matches = context.compileInner(operand);
  // An array is asked as a document with the fields "0", "1"…
  return (value) => (isDocument(value) ? matches(value) : Array.isArray(value) && matches({ ...value }));
}

function negated(operand: unknown, context: OperatorContext): Condition {
  if (operand instanceof BSONRegExp) return leaf(matchesRegex(operand));
  if (!isDocument(operand)) return fail('BadValue', '$not needs a regex or a document');
  if (Object.keys(operand).length === 0) fail('BadValue', '$not cannot be empty');
  return compileOperators(operand, context);
}
