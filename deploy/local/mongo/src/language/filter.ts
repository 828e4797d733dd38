import { BSONRegExp } from 'bson';
import { fail, refuse } from './errors.js';
import { bindVariables, parseExpression, scopeOf, type Variables } from './expression.js';
import { equals, every, leaf, type Matcher, matchesRegex } from './filter/condition.js';
import { compileOperators, isOperators } from './filter/operators.js';
import { impliedPredicates, type Predicate } from './filter/predicates.js';
import type { Position } from './path.js';
import { isTrue } from './truth.js';
import { type Document, isDocument } from './values.js';

export type { Predicate } from './filter/predicates.js';

export interface FilterOptions {
  /** The command's `let`: values of `$$name` in `$expr`. */
  let?: Document | undefined;
  /** Variables that are bound already, in a pipeline. */
  variables?: Variables;
}

export interface Filter {
  matches: (document: Document) => boolean;
  /** The index of the array element that matched, for the positional operator `$`; undefined where there is none. */
  position: (document: Document) => string | undefined;
  /** What every matching document meets, for the planner. A `null` also means a missing field. */
  predicates: Predicate[];
  /** The filter says nothing but its predicates. */
  exact: boolean;
}

/** Checks and compiles a filter. Throws as the server does: BadValue, FailedToParse… */
export function compileFilter(filter: Document, options: FilterOptions = {}): Filter {
  const matches = compileDocument(filter, options, true);
  const { predicates, exact } = impliedPredicates(filter);
  return {
    matches,
    position(document) {
      const position: Position = {};
      matches(document, position);
      return position.index;
    },
    predicates,
    exact,
  };
}

function compileDocument(filter: Document, options: FilterOptions, top: boolean): Matcher {
  const matchers: Matcher[] = [];
  for (const key in filter) {
    const matcher = key.startsWith('$')
      ? compileTop(key, filter[key], options, top)
      : compileField(key, filter[key], options);
    if (matcher) matchers.push(matcher);
  }
  return every(matchers);
}

function compileField(path: string, specification: unknown, options: FilterOptions): Matcher {
  const parts = path.split('.');
  if (isOperators(specification)) {
    return compileOperators(specification, {
      path,
      compileInner: (inner) => compileDocument(inner, options, false),
    }).at(parts);
  }
  return leaf(specification instanceof BSONRegExp ? matchesRegex(specification) : equals(specification)).at(parts);
}

function compileTop(operator: string, operand: unknown, options: FilterOptions, top: boolean): Matcher | undefined {
  switch (operator) {
    case '$and':
      return every(branches(operator, operand, options, top));
    case '$or':
      return any(branches(operator, operand, options, top));
    case '$nor': {
      const matches = any(branches(operator, operand, options, top));
      return (document) => !matches(document);
    }
    case '$comment':
      return undefined;
    case '$expr':
      if (!top) fail('BadValue', '$expr can only be applied to the top-level document');
      return expressionMatcher(operand, options);
    case '$alwaysTrue':
      return () => true;
    case '$alwaysFalse':
      return () => false;
    case '$where':
    case '$text':
    case '$jsonSchema':
    case '$sampleRate':
      return refuse(operator);
    default:
      return fail(
        'BadValue',
        `unknown top level operator: ${operator}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function branches(operator: string, operand: unknown, options: FilterOptions, top: boolean): Matcher[] {
  if (!Array.isArray(operand)) return fail('BadValue', `${operator} must be an array`);
  if (operand.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  return operand.map((branch: unknown) =>
    isDocument(branch)
      ? compileDocument(branch, options, top)
      : fail('BadValue', '$or/$and/$nor entries need to be full objects'),
  );
}

function any(matchers: Matcher[]): Matcher {
  if (matchers.length === 1) return matchers[0]!;
  return (document, position) => {
    for (const matches of matchers) if (matches(document, position)) return true;
    return false;
  };
}

function expressionMatcher(expression: unknown, { let: values, variables }: FilterOptions): Matcher {
  const bound = variables ?? bindVariables(values);
  const evaluate = parseExpression(expression, scopeOf(bound));
  return (document) => isTrue(evaluate(document, bound));
}
