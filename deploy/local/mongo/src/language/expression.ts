import { fail, unsupported } from './errors.js';
import { pathParts, valueAt } from './path.js';
import { type Document, isDocument, withField } from './values.js';

/** Returns the value of an expression for a document; undefined for a missing field. */
export type Expression = (root: Document) => unknown;

export const EXPRESSIONS: Readonly<Record<string, (operand: unknown) => Expression>> = { $setField: setField };

function setField(operand: unknown): Expression {
  const { field, input, value } = isDocument(operand) ? operand : fail(4161100, '$setField needs an object');
  const name = isDocument(field) ? field.$literal : field;
  if (typeof name !== 'string' || (name === field && name.startsWith('$')))
    return unsupported('$setField of a field that is not a constant');
  const [inputOf, valueOf] = [parseExpression(input), parseExpression(value)];
  return (root) => {
    const document = inputOf(root);
    return isDocument(document)
      ? withField(document, name, valueOf(root))
      : unsupported('$setField with an input that is not a document');
  };
}

/** Compiles a constant, a path, `$$ROOT`, or an operator of EXPRESSIONS. Rejects other expressions. */
export function parseExpression(specification: unknown): Expression {
  if (typeof specification === 'string') return parseString(specification);
  if (Array.isArray(specification)) unsupported('an array in an expression');
  if (!isDocument(specification)) return () => specification;
  const [operator = '', ...others] = Object.keys(specification);
  if (others.length > 0 || !Object.hasOwn(EXPRESSIONS, operator)) unsupported(`the expression ${operator}`);
  return EXPRESSIONS[operator]!(specification[operator]);
}

function parseString(text: string): Expression {
  if (!text.startsWith('$')) return () => text;
  if (text === '$$ROOT') return (root) => root;
  if (text.startsWith('$$')) unsupported(`the variable ${text}`);
  const parts = pathParts(text.slice(1));
  return (root) => valueAt(root, parts);
}
