import { compareValues } from './compare.js';
import { fail, refuse, show } from './errors.js';
import { copyDocument, type Document, isDocument, newDocument, typeName } from './values.js';

/** Values by name, without the `$$`. */
export type Variables = Readonly<Record<string, unknown>>;
/** The value of an expression for a document; undefined where it has none (a missing field). */
export type Expression = (root: Document) => unknown;

type Reader = (operand: unknown, variables: Variables) => Expression;

/** The expression operators. */
export const EXPRESSIONS: Readonly<Record<string, Reader>> = {
  $eq(operand, variables) {
    if (!Array.isArray(operand) || operand.length !== 2)
      return fail(16020, `Expression $eq takes exactly 2 arguments. ${[operand].flat().length} were passed in.`);
    const [left, right] = operand.map((each) => parseExpression(each, variables)) as [Expression, Expression];
    return (root) => compareValues(left(root), right(root)) === 0;
  },
  $literal: (operand) => () => operand,
  $setField: setField,
};

const isConstant = (value: unknown): boolean => typeof value === 'string' && !value.startsWith('$');

function setField(operand: unknown, variables: Variables): Expression {
  const { field, input, value, ...others } = isDocument(operand) ? operand : fail(4161100, '$setField needs an object');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) fail(4161101, `$setField found an unknown argument: ${unknown}`);
  const name = isDocument(field) ? field.$literal : isConstant(field) ? field : undefined;
  if (typeof name !== 'string') return fail(4161106, "$setField requires 'field' to evaluate to a constant string");
  const [of, to] = [parseExpression(input, variables), parseExpression(value, variables)];
  return (root) => {
    const document = of(root);
    if (document === null || document === undefined) return null;
    if (!isDocument(document))
      return fail(4161105, `$setField requires 'input' to evaluate to type Object, not ${typeName(document)}`);
    const copy = copyDocument(document);
    const set = to(root);
    if (set === undefined) delete copy[name];
    else copy[name] = set;
    return copy;
  };
}

/** Reads an expression. Operators that are not in the table are refused, undefined variables are error 17276. */
export function parseExpression(specification: unknown, variables: Variables): Expression {
  if (typeof specification === 'string') return parseString(specification, variables);
  if (Array.isArray(specification)) {
    const items = specification.map((item) => parseExpression(item, variables));
    return (root) => items.map((item) => item(root) ?? null);
  }
  return isDocument(specification) ? parseDocument(specification, variables) : () => specification;
}

/** The variables of a command: its `let`, whose values are constant expressions. */
export function bindVariables(values: Document | undefined): Variables {
  const variables: Record<string, unknown> = {};
  for (const name in values) variables[name] = parseExpression(values[name], variables)(newDocument());
  return variables;
}

function parseDocument(fields: Document, variables: Variables): Expression {
  const keys = Object.keys(fields);
  const operator = keys.find((key) => key.startsWith('$'));
  if (operator === undefined) return parseObject(fields, variables);
  if (keys.length > 1) fail(15983, `an object representing an expression must have exactly one field: ${show(fields)}`);
  if (!Object.hasOwn(EXPRESSIONS, operator)) refuse(`the expression ${operator}`);
  return EXPRESSIONS[operator]!(fields[operator], variables);
}

function parseObject(fields: Document, variables: Variables): Expression {
  const expressions = Object.entries(fields).map(([key, value]) => {
    if (key.includes('.')) fail(16412, "FieldPath field names may not contain '.'.");
    return [key, parseExpression(value, variables)] as const;
  });
  return (root) => {
    const result = newDocument();
    for (const [key, expression] of expressions) {
      const value = expression(root);
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
}

function parseString(text: string, variables: Variables): Expression {
  if (!text.startsWith('$')) return () => text;
  if (!text.startsWith('$$')) {
    const parts = checkedParts(text.slice(1));
    return (root) => valueAt(root, parts, 0);
  }
  const [name, ...rest] = checkedParts(text.slice(2)) as [string, ...string[]];
  if (name === 'ROOT') return (root) => valueAt(root, rest, 0);
  if (/^[A-Z]/.test(name)) refuse(`the variable $$${name}`);
  if (!Object.hasOwn(variables, name)) fail(17276, `Use of undefined variable: ${name}`);
  return () => valueAt(variables[name], rest, 0);
}

/** The parts of a dotted path. Throws as the server does for names that no path has. */
export function checkedParts(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') fail(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    if (part.includes('\0')) fail(16411, 'FieldPath field names may not contain null characters.');
  }
  return parts;
}

/** The value at a path of an expression: over an array, the array of what its documents have there. */
function valueAt(value: unknown, parts: readonly string[], from: number): unknown {
  let at = value;
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(at)) {
      const found = at.map((element) =>
        valueAt(isDocument(element) || Array.isArray(element) ? element : undefined, parts, i),
      );
      return found.filter((each) => each !== undefined);
    }
    if (!isDocument(at)) return undefined;
    at = at[parts[i]!];
  }
  return at;
}
