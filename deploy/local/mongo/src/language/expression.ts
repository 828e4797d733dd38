import { fail, refuse, show } from './errors.js';
import { pathParts, valueAt } from './path.js';
import { type Document, isDocument, newDocument, typeName, withField } from './values.js';

/** Returns the value of an expression for a document; undefined for a missing field. */
export type Expression = (root: Document) => unknown;

export const EXPRESSIONS: Readonly<Record<string, (operand: unknown) => Expression>> = {
  $literal: (operand) => () => operand,
  $setField: setField,
};

function setField(operand: unknown): Expression {
  const { field, input, value, ...others } = isDocument(operand) ? operand : fail(4161100, '$setField needs an object');
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) fail(4161101, `$setField found an unknown argument: ${unknown}`);
  const name = isDocument(field) ? field.$literal : field;
  if (typeof name !== 'string' || (name === field && name.startsWith('$')))
    return fail(4161106, "$setField requires 'field' to evaluate to a constant string");
  const [of, to] = [parseExpression(input), parseExpression(value)];
  return (root) => {
    const document = of(root) ?? null;
    if (document !== null && !isDocument(document))
      fail(4161105, `$setField requires 'input' to evaluate to type Object, not ${typeName(document)}`);
    return document && withField(document, name, to(root));
  };
}

/** Compiles an expression. Operators that are not in the table are refused. */
export function parseExpression(specification: unknown): Expression {
  if (typeof specification === 'string') return parseString(specification);
  if (Array.isArray(specification)) refuse('an array in an expression');
  return isDocument(specification) ? parseDocument(specification) : () => specification;
}

function parseString(text: string): Expression {
  if (!text.startsWith('$')) return () => text;
  if (text === '$$ROOT') return (root) => root;
  if (text.startsWith('$$')) refuse(`the variable ${text}`);
  const parts = pathParts(text.slice(1));
  return (root) => valueAt(root, parts);
}

function parseDocument(fields: Document): Expression {
  const [operator, ...others] = Object.keys(fields);
  if (!operator?.startsWith('$')) return parseObject(fields);
  if (others.length > 0)
    fail(15983, `an object representing an expression must have exactly one field: ${show(fields)}`);
  if (!Object.hasOwn(EXPRESSIONS, operator)) refuse(`the expression ${operator}`);
  return EXPRESSIONS[operator]!(fields[operator]);
}

function parseObject(fields: Document): Expression {
  const expressions = Object.entries(fields).map(([key, value]) => {
    if (key.includes('.')) fail(16412, "FieldPath field names may not contain '.'.");
    return [key, parseExpression(value)] as const;
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
