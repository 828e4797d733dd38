import { fail } from '../errors.js';
import type { Expression, Scope, Variables } from '../expression.js';
import { isTrue } from '../truth.js';
import { isDocument, isNumeric, toNumber, typeName } from '../values.js';
import { isNullish, namedOperands, type OperatorReader, type OperatorTable } from './args.js';

/** Operators that evaluate an expression again and again with variables of their own. */

const within = (scope: Scope, ...names: string[]): Scope => new Set([...scope, ...names]);
const child = (variables: Variables): Variables => Object.create(variables) as Variables;

function variableName(value: unknown): string {
  if (typeof value !== 'string' || !/^[a-z\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*$/.test(value)) {
    if (value === 'CURRENT') return 'CURRENT';
    fail('FailedToParse', `'${String(value)}' starts with an invalid character for a user variable name`);
  }
  return value;
}

const letReader: OperatorReader = (operand, { parse, scope }, name) => {
  const { vars, in: body } = namedOperands(operand, name, ['vars', 'in'], []);
  if (!isDocument(vars)) return fail(16874, `invalid parameter: expected an object (vars)`);
  const bindings = Object.entries(vars).map(([key, value]) => [variableName(key), parse(value)] as const);
  const result = parse(body, within(scope, ...Object.keys(vars)));
  return (root, variables) => {
    const inner = child(variables);
    for (const [key, expression] of bindings) inner[key] = expression(root, variables);
    return result(root, inner);
  };
};

/** The elements of an operator's input; undefined where the input is null and so is the result. */
function elements(
  input: Expression,
  name: string,
  code: number,
): (root: Parameters<Expression>[0], variables: Variables) => unknown[] | undefined {
  return (root, variables) => {
    const value = input(root, variables);
    if (isNullish(value)) return undefined;
    return Array.isArray(value)
      ? (value as unknown[])
      : fail(code, `input to ${name} must be an array not ${typeName(value)}`);
  };
}

const map: OperatorReader = (operand, { parse, scope }, name) => {
  const { input, as = 'this', in: body } = namedOperands(operand, name, ['input', 'in'], ['as']);
  const variable = variableName(as);
  const list = elements(parse(input), name, 16883);
  const result = parse(body, within(scope, variable));
  return (root, variables) => {
    const inner = child(variables);
    return (
      list(root, variables)?.map((element) => {
        inner[variable] = element;
        return result(root, inner) ?? null;
      }) ?? null
    );
  };
};

const filter: OperatorReader = (operand, { parse, scope }, name) => {
  const { input, as = 'this', cond, limit } = namedOperands(operand, name, ['input', 'cond'], ['as', 'limit']);
  const variable = variableName(as);
  const list = elements(parse(input), name, 28651);
  const test = parse(cond, within(scope, variable));
  const most = limit === undefined ? undefined : parse(limit);
  return (root, variables) => {
    const values = list(root, variables);
    if (!values) return null;
    const max = most ? limitOf(most(root, variables)) : Infinity;
    const inner = child(variables);
    const kept: unknown[] = [];
    for (const element of values) {
      if (kept.length >= max) break;
      inner[variable] = element;
      if (isTrue(test(root, inner))) kept.push(element);
    }
    return kept;
  };
};

function limitOf(value: unknown): number {
  if (isNullish(value)) return Infinity;
  const limit = isNumeric(value) ? toNumber(value) : NaN;
  if (!Number.isInteger(limit)) fail(327391, '$filter: limit must be represented as a 32-bit integral value');
  return limit > 0 ? limit : fail(327392, `$filter: limit must be greater than 0: ${limit}`);
}

const reduce: OperatorReader = (operand, { parse, scope }, name) => {
  const { input, initialValue, in: body } = namedOperands(operand, name, ['input', 'initialValue', 'in'], []);
  const list = elements(parse(input), name, 40080);
  const start = parse(initialValue);
  const step = parse(body, within(scope, 'this', 'value'));
  return (root, variables) => {
    const values = list(root, variables);
    if (!values) return null;
    const inner = child(variables);
    let result = start(root, variables);
    for (const element of values) {
      inner.this = element;
      inner.value = result;
      result = step(root, inner);
    }
    return result;
  };
};

export const COLLECTIONS: OperatorTable = { $let: letReader, $map: map, $filter: filter, $reduce: reduce };
