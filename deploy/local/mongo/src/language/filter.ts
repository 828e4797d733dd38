import { BSONRegExp } from 'bson';
import { fail, unsupported } from './errors.js';
import { any, compares, equals, every, hasAny, isIn, type Matcher, matchesRegex, not } from './filter/condition.js';
import { impliedPredicates, type Predicate } from './filter/predicates.js';
import { isOperators, regexOf } from './filter/regex.js';
import { type Document, isDocument, isTrue, TYPE, typeOf } from './values.js';

export interface Filter {
  matches: Matcher;
  /**
   * For the planner: conditions that every matching document satisfies. The value `null` also matches a missing field.
   */
  predicates: Predicate[];
  /** Whether the predicates are equivalent to the filter. */
  exact: boolean;
}

/** Compiles a filter. Operators that are not in FILTER_OPERATORS or FIELD_OPERATORS are refused. */
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
    Object.keys(specification).map((operator) => {
      if (!Object.hasOwn(FIELD_OPERATORS, operator)) unsupported(`the query operator ${operator}`);
      return FIELD_OPERATORS[operator]!(specification[operator], { operator, parts, specification });
    }),
  );
}

/** An operator to compile, the path of its field, and the whole condition on that field. */
interface OperatorContext {
  operator: string;
  /** The parts of the field's path. */
  parts: readonly string[];
  /** The whole condition, with all its operators. */
  specification: Document;
}

const comparison = (operand: unknown, { operator, parts }: OperatorContext): Matcher =>
  hasAny(parts, compares(operator, literal(operator, operand, parts)));

export const FIELD_OPERATORS: Readonly<Record<string, (operand: unknown, context: OperatorContext) => Matcher>> = {
  $eq: (operand, { operator, parts }) => hasAny(parts, equals(literal(operator, operand, parts))),
  $ne: (operand, { operator, parts }) => not(hasAny(parts, equals(literal(operator, operand, parts)))),
  $lt: comparison,
  $lte: comparison,
  $gt: comparison,
  $gte: comparison,
  $in: (operand, context) => hasAny(context.parts, isIn(listOf(operand, context))),
  $nin: (operand, context) => not(hasAny(context.parts, isIn(listOf(operand, context)))),
  $all(operand, context) {
    const matchers = listOf(operand, context).map((value) => hasAny(context.parts, equals(value)));
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

function listOf(operand: unknown, { operator, parts }: OperatorContext): unknown[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} needs an array`);
  return operand.map((value: unknown) => {
    if (isOperators(value)) unsupported(`an operator within ${operator}`);
    return literal(operator, value, parts);
  });
}
