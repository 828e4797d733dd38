import { refuse } from './errors.js';
import type { Document } from './values.js';

/** Values by name, without the `$$`. A nested scope inherits from the outer one. */
export type Variables = Record<string, unknown>;
/** The names of variables that an expression may use where it stands. */
export type Scope = ReadonlySet<string>;
/** The value of an expression for a document; undefined where it has none (a missing field). */
export type Expression = (root: Document, variables: Variables) => unknown;

export const scopeOf = (variables: Variables): Scope => new Set(Object.keys(variables));

export function parseExpression(_expression: unknown, _scope: Scope): Expression {
  return refuse('expressions');
}

export function compileExpression(expression: unknown, variables: Variables): (root: Document) => unknown {
  const evaluate = parseExpression(expression, scopeOf(variables));
  return (root) => evaluate(root, variables);
}
