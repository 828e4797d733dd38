import { BSONRegExp } from 'bson';
import { fail, refuse } from './errors.js';
import { parseExpression, type Variables } from './expression.js';
import { any, equals, every, leaf, type Matcher, matchesRegex } from './filter/condition.js';
import { compileOperators, isOperators } from './filter/operators.js';
import { impliedPredicates, type Predicate } from './filter/predicates.js';
import { type Document, isDocument, isTrue } from './values.js';

export type { Predicate } from './filter/predicates.js';

export interface Filter {
  matches: (document: Document) => boolean;
  /** What every matching document meets, for the planner. A `null` also means a missing field. */
  predicates: Predicate[];
  /** The filter says nothing but its predicates. */
  exact: boolean;
}

/** Checks and compiles a filter; `variables` are the values of `$$name` in `$expr`. Operators that are not in the tables are refused. */
export function compileFilter(filter: Document, variables: Variables = {}): Filter {
  return { matches: compileDocument(filter, variables), ...impliedPredicates(filter) };
}

function compileDocument(filter: Document, variables: Variables): Matcher {
  return every(
    Object.keys(filter).map((key) =>
      key.startsWith('$') ? compileTop(key, filter[key], variables) : compileField(key, filter[key]),
    ),
  );
}

function compileField(path: string, specification: unknown): Matcher {
  const parts = path.split('.');
  if (isOperators(specification))
    return every(compileOperators(specification, path).map((condition) => condition(parts)));
  return leaf(specification instanceof BSONRegExp ? matchesRegex(specification) : equals(specification))(parts);
}

/** The operators on whole documents. */
export const FILTER_OPERATORS: Readonly<Record<string, (operand: unknown, variables: Variables) => Matcher>> = {
  $and: (operand, variables) => every(branches('$and', operand, variables)),
  $or: (operand, variables) => any(branches('$or', operand, variables)),
  $expr(operand, variables) {
    const evaluate = parseExpression(operand, variables);
    return (document) => isTrue(evaluate(document));
  },
};

function compileTop(operator: string, operand: unknown, variables: Variables): Matcher {
  if (!Object.hasOwn(FILTER_OPERATORS, operator)) refuse(`the query operator ${operator}`);
  return FILTER_OPERATORS[operator]!(operand, variables);
}

function branches(operator: string, operand: unknown, variables: Variables): Matcher[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} must be an array`);
  if (operand.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  return operand.map((branch: unknown) =>
    isDocument(branch)
      ? compileDocument(branch, variables)
      : fail('BadValue', '$or/$and/$nor entries need to be full objects'),
  );
}
