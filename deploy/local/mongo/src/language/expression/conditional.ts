import { compareValues } from '../compare.js';
import { fail } from '../errors.js';
import type { Expression } from '../expression.js';
import { isTrue } from '../truth.js';
import { isDocument, typeName } from '../values.js';
import { isNullish, namedOperands, type OperatorReader, type OperatorTable, operandsOf, takes, unary } from './args.js';

const comparison = (holds: (order: number) => boolean): OperatorReader =>
  takes(2, 2, ([a, b]) => holds(compareValues(a, b)));

/** `$and` and `$or` stop at the first operand that decides. */
const logical =
  (decisive: boolean): OperatorReader =>
  (operand, { parse }) => {
    const expressions = operandsOf(operand).map((each) => parse(each));
    return (root, variables) => {
      for (const expression of expressions) if (isTrue(expression(root, variables)) === decisive) return decisive;
      return !decisive;
    };
  };

const cond: OperatorReader = (operand, { parse }, name) => {
  const parts = isDocument(operand) ? Object.values(ordered(operand, name)) : operandsOf(operand);
  if (parts.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`);
  const [test, yes, no] = parts.map((part) => parse(part)) as [Expression, Expression, Expression];
  return (root, variables) => (isTrue(test(root, variables)) ? yes(root, variables) : no(root, variables));
};

function ordered(operand: Record<string, unknown>, name: string): Record<string, unknown> {
  for (const key in operand)
    if (!['if', 'then', 'else'].includes(key)) fail(17083, `Unrecognized parameter to $cond: ${key}`);
  const missing = ['if', 'then', 'else'].find((key) => !(key in operand));
  if (missing) fail(17080, `Missing '${missing}' parameter to ${name}`);
  return { if: operand.if, then: operand.then, else: operand.else };
}

const ifNull: OperatorReader = (operand, { parse }) => {
  const expressions = operandsOf(operand).map((each) => parse(each));
  if (expressions.length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${expressions.length}`);
  return (root, variables) => {
    let value: unknown;
    for (const expression of expressions) {
      value = expression(root, variables);
      if (!isNullish(value)) break;
    }
    return value;
  };
};

const switchCase: OperatorReader = (operand, { parse }, name) => {
  const { branches, default: otherwise } = namedOperands(operand, name, [], ['branches', 'default']);
  if (!Array.isArray(branches))
    return fail(40061, `$switch expected an array for 'branches', found: ${typeName(branches)}`);
  if (branches.length === 0) fail(40068, '$switch requires at least one branch.');
  const cases = branches.map((branch: unknown) => {
    if (!isDocument(branch))
      return fail(40062, `$switch expected each branch to be an object, found: ${typeName(branch)}`);
    if (!('case' in branch)) fail(40066, "$switch requires each branch have a 'case' expression");
    if (!('then' in branch)) fail(40067, "$switch requires each branch have a 'then' expression.");
    return { test: parse(branch.case), then: parse(branch.then) };
  });
  const fallback = isDocument(operand) && 'default' in operand ? parse(otherwise) : undefined;
  return (root, variables) => {
    for (const { test, then } of cases) if (isTrue(test(root, variables))) return then(root, variables);
    return fallback
      ? fallback(root, variables)
      : fail(40066, '$switch could not find a matching branch for an input, and no default was specified.');
  };
};

export const CONDITIONALS: OperatorTable = {
  $cmp: takes(2, 2, ([a, b]) => Math.sign(compareValues(a, b))),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $and: logical(false),
  $or: logical(true),
  $not: unary((value) => !isTrue(value)),
  $cond: cond,
  $ifNull: ifNull,
  $switch: switchCase,
  $literal: (operand) => () => operand,
  $const: (operand) => () => operand,
};
