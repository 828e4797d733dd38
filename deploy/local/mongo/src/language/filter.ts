import { BSONRegExp } from 'bson';
import { fail, unsupported } from './errors.js';
import { any, compares, equals, every, hasAny, isIn, type Matcher, matchesRegex, not } from './filter/condition.js';
import { impliedPredicates, type Predicate } from './filter/predicates.js';
import { isOperators, regexOf } from './filter/regex.js';
import { type Document, isDocument, isTrue, TYPE, typeOf } from './values.js';

export interface Filter {
  matches: Matcher;
  /** Conditions that every matching document satisfies, for the planner. `null` also matches a missing field. */
  predicates: Predicate[];
  /** Whether the predicates are equivalent to the filter. */
  exact: boolean;
}

/** Compiles a filter. Operators that are not in the tables are refused. */
export const compileFilter = (filter: Document): Filter => ({
  matches: compileDocument(filter),
  ...impliedPredicates(filter),
});

function compileDocument(filter: Document): Matcher {
  return every(
    Object.keys(filter).map((key) => {
      if (!key.startsWith('$')) return compileField(key, filter[key]);
      if (!Object.hasOwn(FILTER_OPERATORS, key)) unsupported(`the query operator ${key}`);
      return FILTER_OPERATORS[key]!(branches(key, filter[key]));
    }),
  );
}

export const FILTER_OPERATORS: Readonly<Record<string, (branches: Matcher[]) => Matcher>> = { $and: every, $or: any };

function branches(operator: string, operand: unknown): Matcher[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} must be an array`);
  if (operand.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  return operand.map((branch: unknown) =>
    isDocument(branch) ? compileDocument(branch) : fail('BadValue', '$or/$and/$nor entries need to be full objects'),
  );
}

function compileField(path: string, specification: unknown): Matcher {
  const parts = path.split('.');
  if (specification instanceof BSONRegExp) return hasAny(parts, matchesRegex(specification));
  if (!isOperators(specification)) return hasAny(parts, equals(specification));
  return every(
    Object.keys(specification).map((name) => {
      if (!Object.hasOwn(FIELD_OPERATORS, name)) unsupported(`the query operator ${name}`);
      return FIELD_OPERATORS[name]!(specification[name], { name, parts, specification });
    }),
  );
}

interface Field {
  name: string;
  parts: readonly string[];
  specification: Document;
}

const comparison = (operand: unknown, { name, parts }: Field): Matcher =>
  hasAny(parts, compares(name, literal(name, operand, parts)));

export const FIELD_OPERATORS: Readonly<Record<string, (operand: unknown, field: Field) => Matcher>> = {
  $eq: (operand, { name, parts }) => hasAny(parts, equals(literal(name, operand, parts))),
  $ne: (operand, { name, parts }) => not(hasAny(parts, equals(literal(name, operand, parts)))),
  $lt: comparison,
  $lte: comparison,
  $gt: comparison,
  $gte: comparison,
  $in: (operand, field) => hasAny(field.parts, isIn(listOf(operand, field))),
  $nin: (operand, field) => not(hasAny(field.parts, isIn(listOf(operand, field)))),
  $all(operand, field) {
    const matchers = listOf(operand, field).map((value) => hasAny(field.parts, equals(value)));
    return matchers.length === 0 ? () => false : every(matchers);
  },
  $exists(operand, { parts }) {
    const exists = hasAny(parts, (value) => value !== undefined);
    return isTrue(operand) ? exists : not(exists);
  },
  $type(operand, { parts }) {
    if (typeof operand !== 'string') return unsupported('$type other than an alias');
    const type = (TYPE as Readonly<Record<string, number>>)[operand];
    if (type === undefined || type === TYPE.missing) return unsupported(`the type alias '${operand}'`);
    return hasAny(parts, (value) => typeOf(value) === type);
  },
  $regex: (operand, { parts, specification }) => hasAny(parts, matchesRegex(regexOf(operand, specification))),
  $options: (_operand, { specification }) =>
    '$regex' in specification ? () => true : fail('BadValue', '$options needs a $regex'),
};

/** Returns the operand. Throws for a regular expression, which is not supported as the operand of these operators. */
function literal(operator: string, operand: unknown, parts: readonly string[]): unknown {
  if (operand instanceof BSONRegExp)
    unsupported(`a regular expression as the operand of ${operator} on '${parts.join('.')}'`);
  return operand;
}

function listOf(operand: unknown, { name, parts }: Field): unknown[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${name} needs an array`);
  return operand.map((value: unknown) => {
    if (isOperators(value)) unsupported(`an operator within ${name}`);
    return literal(name, value, parts);
  });
}
