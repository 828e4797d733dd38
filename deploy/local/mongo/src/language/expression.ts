import { fail, refuse } from './errors.js';
import { ARITHMETIC } from './expression/arithmetic.js';
import { ARRAYS } from './expression/array.js';
import type { OperatorTable, Reader } from './expression/args.js';
import { COLLECTIONS } from './expression/collection.js';
import { CONDITIONALS } from './expression/conditional.js';
import { CONVERSIONS } from './expression/conversion.js';
import { DATES } from './expression/date.js';
import { DATE_ARITHMETIC } from './expression/date-arithmetic.js';
import { OBJECTS } from './expression/object.js';
import { SETS } from './expression/set.js';
import { STRINGS } from './expression/string.js';
import { REGEXES } from './expression/regex.js';
import { STATISTICS } from './expression/statistics.js';
import { show } from './show.js';
import { type Document, isDocument, newDocument } from './values.js';

/** Values by name, without the `$$`. A nested scope inherits from the outer one. */
export type Variables = Record<string, unknown>;
/** The names of variables that an expression may use where it stands. */
export type Scope = ReadonlySet<string>;
/** The value of an expression for a document; undefined where it has none (a missing field). */
export type Expression = (root: Document, variables: Variables) => unknown;

const OPERATORS: OperatorTable = {
  ...ARITHMETIC,
  ...ARRAYS,
  ...COLLECTIONS,
  ...CONDITIONALS,
  ...CONVERSIONS,
  ...DATES,
  ...DATE_ARITHMETIC,
  ...OBJECTS,
  ...SETS,
  ...STRINGS,
  ...REGEXES,
  ...STATISTICS,
};

/** Operators of the server that this engine does not have; other names are errors there, too. */
const REFUSED = new Set(
  (
    '$function $accumulator $meta $toHashedIndexKey $sampleRate $median $percentile $encStrStartsWith $createUUID ' +
    '$currentDate $sigmoid $hash $subtype $similarityCosine $setVariableFromSubPipeline $tsSecond $tsIncrement'
  ).split(' '),
);

export const scopeOf = (variables: Variables): Scope => new Set(Object.keys(variables));

/** Reads an expression. Throws as the server does on unknown operators, wrong operand counts, undefined variables. */
export function parseExpression(specification: unknown, scope: Scope): Expression {
  if (typeof specification === 'string') return parseString(specification, scope);
  if (Array.isArray(specification)) return parseArray(specification, scope);
  if (isDocument(specification)) return parseDocument(specification, scope);
  return () => specification;
}

/** The variables of a command: its `let`, whose values are constant expressions, and `NOW`, the time of this call. */
export function bindVariables(values: Document | undefined): Variables {
  const variables: Variables = { NOW: new Date() };
  const scope = new Set<string>(['NOW']);
  for (const name in values) {
    variables[name] = parseExpression(values[name], scope)(newDocument(), variables);
    scope.add(name);
  }
  return variables;
}

function parseArray(items: unknown[], scope: Scope): Expression {
  const expressions = items.map((item) => parseExpression(item, scope));
  return (root, variables) => expressions.map((expression) => expression(root, variables) ?? null);
}

function parseDocument(fields: Document, scope: Scope): Expression {
  const keys = Object.keys(fields);
  const operator = keys.find((key) => key.startsWith('$'));
  if (operator === undefined) return parseObject(fields, scope);
  if (keys.length > 1) fail(15983, `an object representing an expression must have exactly one field: ${show(fields)}`);
  return parseOperator(operator, fields[operator], scope);
}

function parseOperator(name: string, operand: unknown, scope: Scope): Expression {
  if (REFUSED.has(name)) refuse(`the expression ${name}`);
  if (!Object.hasOwn(OPERATORS, name)) fail('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  const reader: Reader = { scope, parse: (each, inner = scope) => parseExpression(each, inner) };
  return OPERATORS[name]!(operand, reader, name);
}

function parseObject(fields: Document, scope: Scope): Expression {
  const expressions = Object.entries(fields).map(([key, value]) => {
    if (key.includes('.'))
      fail(16412, "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
    return [key, parseExpression(value, scope)] as const;
  });
  return (root, variables) => {
    const result = newDocument();
    for (const [key, expression] of expressions) {
      const value = expression(root, variables);
      if (value !== undefined) result[key] = value;
    }
    return result;
  };
}

function parseString(text: string, scope: Scope): Expression {
  if (!text.startsWith('$')) return () => text;
  if (!text.startsWith('$$')) return fieldPath(pathParts(text.slice(1)));
  const [name, ...rest] = pathParts(text.slice(2)) as [string, ...string[]];
  const value = variable(name, scope);
  if (rest.length === 0) return value;
  return (root, variables) => valueAt(value(root, variables), rest, 0);
}

function pathParts(path: string): string[] {
  if (path === '') fail(16872, "'$' by itself is not a valid FieldPath");
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '') fail(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$'))
      fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    if (part.includes('\0')) fail(16411, 'FieldPath field names may not contain null characters.');
  }
  return parts;
}

function fieldPath(parts: string[]): Expression {
  if (parts.length > 1)
    return (root, variables) => valueAt('CURRENT' in variables ? variables.CURRENT : root, parts, 0);
  const [name] = parts as [string];
  return (root, variables) => {
    const current = 'CURRENT' in variables ? variables.CURRENT : root;
    return isDocument(current) ? current[name] : valueAt(current, parts, 0);
  };
}

function variable(name: string, scope: Scope): Expression {
  switch (name) {
    case 'ROOT':
      return (root) => root;
    case 'CURRENT':
      return (root, variables) => ('CURRENT' in variables ? variables.CURRENT : root);
    case 'REMOVE':
      return () => undefined;
    case 'DESCEND':
    case 'PRUNE':
    case 'KEEP':
      return () => `$$${name}`;
    case 'NOW':
      return (_root, variables) => variables.NOW ?? new Date();
    default:
      if (!scope.has(name)) fail(17276, `Use of undefined variable: ${name}`);
      return (_root, variables) => variables[name];
  }
}

/** The value at a path of an expression: over an array, the array of what its documents have there. */
export function valueAt(value: unknown, parts: readonly string[], from: number): unknown {
  let at = value;
  for (let i = from; i < parts.length; i += 1) {
    if (Array.isArray(at)) {
      const found: unknown[] = [];
      for (const element of at) {
        if (!isDocument(element) && !Array.isArray(element)) continue;
        const inner = valueAt(element, parts, i);
        if (inner !== undefined) found.push(inner);
      }
      return found;
    }
    if (!isDocument(at)) return undefined;
    at = at[parts[i]!];
  }
  return at;
}
