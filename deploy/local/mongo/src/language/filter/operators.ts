import { BSONRegExp } from 'bson';
import { fail, refuse } from '../errors.js';
import { type Document, isDocument, isTrue, T, typeOf } from '../values.js';
import {
  compares,
  type Comparison,
  type Condition,
  equals,
  every,
  isIn,
  leaf,
  matchesRegex,
  not,
} from './condition.js';
import { makeRegex } from './regex.js';

type Operator = (operand: unknown, path: string, siblings: Document) => Condition | undefined;

const comparison =
  (operator: Comparison): Operator =>
  (operand, path) =>
    leaf(compares(operator, plain(`$${operator}`, operand, path)));

/** The operators on the values of a field. */
export const FIELD_OPERATORS: Readonly<Record<string, Operator>> = {
  $eq: (operand, path) => leaf(equals(plain('$eq', operand, path))),
  $ne: (operand, path) => not(leaf(equals(plain('$ne', operand, path)))),
  $lt: comparison('lt'),
  $lte: comparison('lte'),
  $gt: comparison('gt'),
  $gte: comparison('gte'),
  $in: (operand, path) => leaf(isIn(listFor('$in', operand, path))),
  $nin: (operand, path) => not(leaf(isIn(listFor('$nin', operand, path)))),
  $all: (operand, path) => allElements(listFor('$all', operand, path)),
  $exists: (operand) => {
    const exists = leaf((value) => value !== undefined);
    return isTrue(operand) ? exists : not(exists);
  },
  $type: (operand) => typeCondition(operand),
  $regex: (operand, _path, siblings) => leaf(matchesRegex(regexOf(operand, siblings))),
  $options: (_operand, _path, siblings) =>
    '$regex' in siblings ? undefined : fail('BadValue', '$options needs a $regex'),
};

/** The conditions of `{ $gt: 1, $lt: 5 }`. */
export function compileOperators(specification: Document, path: string): Condition[] {
  return Object.keys(specification).flatMap((name) => {
    if (!Object.hasOwn(FIELD_OPERATORS, name)) refuse(`the query operator ${name}`);
    return FIELD_OPERATORS[name]!(specification[name], path, specification) ?? [];
  });
}

/** Whether a field's specification is operators rather than a value to equal; `{ $ref, $id }` is a value. */
export function isOperators(specification: unknown): specification is Document {
  if (!isDocument(specification)) return false;
  for (const first in specification)
    return first.startsWith('$') && !('$ref' in specification && '$id' in specification);
  return false;
}

function plain(operator: string, operand: unknown, path: string): unknown {
  if (operand instanceof BSONRegExp) refuse(`a regular expression as the operand of ${operator} on '${path}'`);
  return operand;
}

function listFor(operator: string, operand: unknown, path: string): unknown[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} needs an array`);
  return operand.map((value: unknown) => {
    if (isOperators(value)) refuse(`an operator within ${operator}`);
    return plain(operator, value, path);
  });
}

export function regexOf(operand: unknown, { $options: options = '' }: Document): BSONRegExp {
  if (typeof options !== 'string') return fail('BadValue', '$options has to be a string');
  if (operand instanceof BSONRegExp) return options ? refuse('a regular expression with $options') : operand;
  return typeof operand === 'string' ? makeRegex(operand, options) : fail('BadValue', '$regex has to be a string');
}

function typeCondition(operand: unknown): Condition {
  if (typeof operand !== 'string') return refuse('$type other than an alias');
  const type = (T as Readonly<Record<string, number>>)[operand];
  if (type === undefined || type === T.missing) return refuse(`the type alias '${operand}'`);
  return leaf((value) => typeOf(value) === type);
}

function allElements(values: unknown[]): Condition {
  const conditions = values.map((value) => leaf(equals(value)));
  return (path) => (values.length === 0 ? () => false : every(conditions.map((condition) => condition(path))));
}
