import { fail } from '../errors.js';
import type { Expression, Scope } from '../expression.js';
import { type Document, isDocument, typeName } from '../values.js';

/** What an operator needs to read its operands: `parse` in the scope where it stands, or in one with more variables. */
export interface Reader {
  scope: Scope;
  parse: (specification: unknown, scope?: Scope) => Expression;
}

/** Reads one operator, such as the `[1, 2]` of `{ $add: [1, 2] }`. */
export type OperatorReader = (operand: unknown, reader: Reader, name: string) => Expression;
export type OperatorTable = Record<string, OperatorReader>;

export const isNullish = (value: unknown): value is null | undefined => value === null || value === undefined;

/** The operands of an operator: an array, or a single one that stands for itself. */
export function operandsOf(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : [operand];
}

/** An operator over a fixed or bounded number of values. */
export function takes(
  min: number,
  max: number,
  evaluate: (values: unknown[], name: string) => unknown,
): OperatorReader {
  return (operand, { parse }, name) => {
    const operands = operandsOf(operand);
    checkCount(name, operands.length, min, max);
    const expressions = operands.map((each) => parse(each));
    if (expressions.length === 1) {
      const [only] = expressions as [Expression];
      return (root, variables) => evaluate([only(root, variables)], name);
    }
    return (root, variables) =>
      evaluate(
        expressions.map((expression) => expression(root, variables)),
        name,
      );
  };
}

function checkCount(name: string, count: number, min: number, max: number): void {
  if (count >= min && count <= max) return;
  if (min === max) fail(16020, `Expression ${name} takes exactly ${min} arguments. ${count} were passed in.`);
  fail(28667, `Expression ${name} takes at least ${min} arguments, and at most ${max}, but ${count} were passed in.`);
}

/** An operator over one value. */
export const unary = (evaluate: (value: unknown, name: string) => unknown): OperatorReader =>
  takes(1, 1, ([value], name) => evaluate(value, name));

/** An operator over any number of values. */
export const variadic = (evaluate: (values: unknown[], name: string) => unknown): OperatorReader =>
  takes(0, Infinity, evaluate);

/** An operator over named operands: `{ $trim: { input, chars } }`. Unknown and missing names are errors. */
export function named(
  required: readonly string[],
  optional: readonly string[],
  evaluate: (values: Document, name: string) => unknown,
): OperatorReader {
  return (operand, reader, name) => {
    const fields = namedOperands(operand, name, required, optional);
    const expressions = Object.entries(fields).map(([key, value]) => [key, reader.parse(value)] as const);
    return (root, variables) => {
      const values: Document = {};
      for (const [key, expression] of expressions) values[key] = expression(root, variables);
      return evaluate(values, name);
    };
  };
}

export function namedOperands(
  operand: unknown,
  name: string,
  required: readonly string[],
  optional: readonly string[],
): Document {
  if (!isDocument(operand))
    return fail('FailedToParse', `${name} only supports an object as its argument, but found ${typeName(operand)}`);
  for (const key in operand)
    if (!required.includes(key) && !optional.includes(key))
      fail('FailedToParse', `Unrecognized argument to ${name}: ${key}`);
  for (const key of required) if (!(key in operand)) fail('FailedToParse', `Missing '${key}' parameter to ${name}`);
  return operand;
}
