import { compareValues } from '../compare.js';
import { fail, refuse } from '../errors.js';
import { type Expression, parseExpression, type Scope, type Variables } from '../expression.js';
import { countOf } from '../expression/array.js';
import { encodeValue } from '../key.js';
import { compileSort } from '../sort.js';
import { type Document, documentOf, isDocument, isNumeric, newDocument, toNumber, typeName } from '../values.js';
import { type Accumulator, isAccumulator, makeAccumulator } from './accumulators.js';
import type { Stage, StageReader, StageTable } from './stage.js';

/** One accumulated field: how to start it, and what each document gives it. */
export interface Field {
  name: string;
  make(root: Document, variables: Variables): Accumulator;
  input: Expression;
}

const REFUSED = new Set(['$accumulator', '$function', '$median', '$percentile']);

/** Reads `{ total: { $sum: '$n' } }`. */
export function readFields(fields: Document, scope: Scope): Field[] {
  return Object.entries(fields).map(([name, specification]) => {
    if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
    if (name.startsWith('$')) fail(40236, `The field name '${name}' cannot be an operator name`);
    if (!isDocument(specification)) return fail(40234, `The field '${name}' must be an accumulator object`);
    const [operator, ...others] = Object.keys(specification);
    if (operator === undefined || others.length > 0)
      return fail(40238, `The field '${name}' must specify one accumulator`);
    return { name, ...readAccumulator(operator, specification[operator], scope) };
  });
}

function readAccumulator(operator: string, operand: unknown, scope: Scope): Omit<Field, 'name'> {
  if (REFUSED.has(operator)) refuse(`the accumulator ${operator}`);
  if (N_OF_VALUES.has(operator)) return readValues(operator, operand, scope);
  if (N_OF_DOCUMENTS.has(operator)) return readDocuments(operator, operand, scope);
  if (!isAccumulator(operator)) fail(15952, `unknown group operator '${operator}'`);
  if (operator === '$count' && (!isDocument(operand) || Object.keys(operand).length > 0))
    fail('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
  if (Array.isArray(operand) && operator !== '$push' && operator !== '$addToSet' && operand.length !== 1)
    fail(40237, `The ${operator} accumulator is a unary operator`);
  const single: unknown =
    Array.isArray(operand) && operand.length === 1 && operator !== '$push' && operator !== '$addToSet'
      ? operand[0]
      : operand;
  return { make: () => makeAccumulator(operator), input: parseExpression(single, scope) };
}

/** `$firstN`, `$maxN`…: n of the values. */
const N_OF_VALUES = new Map<string, (values: unknown[], n: number) => unknown[]>([
  ['$firstN', (values, n) => values.slice(0, n)],
  ['$lastN', (values, n) => values.slice(-n)],
  ['$minN', (values, n) => present(values).sort(compareValues).slice(0, n)],
  [
    '$maxN',
    (values, n) =>
      present(values)
        .sort((a, b) => compareValues(b, a))
        .slice(0, n),
  ],
]);

const present = (values: unknown[]): unknown[] => values.filter((value) => value !== null && value !== undefined);

function readValues(operator: string, operand: unknown, scope: Scope): Omit<Field, 'name'> {
  if (!isDocument(operand) || !('n' in operand) || !('input' in operand))
    return fail(5787900, `${operator} needs the fields 'input' and 'n'`);
  const n = parseExpression(operand.n, scope);
  const pick = N_OF_VALUES.get(operator)!;
  return {
    make: (root, variables) =>
      gather((values) => pick(values, countOf(n(root, variables), operator)).map((value) => value ?? null)),
    input: parseExpression(operand.input, scope),
  };
}

function gather(result: (values: unknown[]) => unknown): Accumulator {
  const values: unknown[] = [];
  return { add: (value) => values.push(value), result: () => result(values) };
}

/** `$top`, `$bottomN`…: what n of the documents give, in an order of their own. */
const N_OF_DOCUMENTS = new Set(['$top', '$topN', '$bottom', '$bottomN']);

function readDocuments(operator: string, operand: unknown, scope: Scope): Omit<Field, 'name'> {
  const single = !operator.endsWith('N');
  if (!isDocument(operand) || !isDocument(operand.sortBy) || !('output' in operand) || 'n' in operand === single) {
    return fail(5788002, `${operator} needs the fields 'sortBy', 'output'${single ? '' : " and 'n'"}`);
  }
  const compare = compileSort(operand.sortBy);
  const output = parseExpression(operand.output, scope);
  const n = single ? () => 1 : parseExpression(operand.n, scope);
  const top = operator.startsWith('$top');
  type Row = { root: Document; value: unknown };
  return {
    input: (root, variables) => ({ root, value: output(root, variables) ?? null }),
    make: (root, variables) =>
      gather((values) => {
        const rows = (values as Row[]).sort((a, b) => compare(a.root, b.root));
        const size = countOf(n(root, variables), operator);
        const kept = (top ? rows.slice(0, size) : rows.slice(-size)).map((row) => row.value);
        return single ? kept[0] : kept;
      }),
  };
}

/** Groups documents by a key; groups come in the order in which their keys were first seen. */
export function groupBy(id: Expression, fields: readonly Field[]): Stage {
  return function* (input, _host, variables) {
    const groups = new Map<string, { id: unknown; accumulators: Accumulator[] }>();
    for (const document of input) {
      const key = id(document, variables) ?? null;
      const encoded = encodeValue(key);
      let group = groups.get(encoded);
      if (!group)
        groups.set(
          encoded,
          (group = { id: key, accumulators: fields.map((field) => field.make(document, variables)) }),
        );
      for (let i = 0; i < fields.length; i += 1) group.accumulators[i]!.add(fields[i]!.input(document, variables));
    }
    for (const group of groups.values()) yield groupDocument(group.id, fields, group.accumulators);
  };
}

function groupDocument(id: unknown, fields: readonly Field[], accumulators: readonly Accumulator[]): Document {
  const result = newDocument();
  result._id = id;
  fields.forEach((field, i) => {
    result[field.name] = accumulators[i]!.result() ?? null;
  });
  return result;
}

const groupStage: StageReader = (specification, { scope }) => {
  if (!isDocument(specification)) return fail(15947, "a group's fields must be specified in an object");
  if (!('_id' in specification)) fail(15955, 'a group specification must include an _id');
  const { _id: id, ...fields } = specification;
  return groupBy(parseExpression(id, scope), readFields(fields, scope));
};

const countStage: StageReader = (specification) => {
  if (typeof specification !== 'string' || specification === '')
    return fail(40156, 'the count field must be a non-empty string');
  if (specification.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (specification.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* (input) {
    let n = 0;
    for (const _ of input) n += 1;
    if (n > 0) yield documentOf({ [specification]: n });
  };
};

const sortByCountStage: StageReader = (specification, { scope }) => {
  if (!(typeof specification === 'string' && specification.startsWith('$')) && !isDocument(specification)) {
    fail(40148, 'the sortByCount field must be defined as a $-prefixed path or an expression inside an object');
  }
  const group = groupBy(parseExpression(specification, scope), readFields({ count: documentOf({ $sum: 1 }) }, scope));
  return (input, host, variables) => [...group(input, host, variables)].sort((a, b) => compareValues(b.count, a.count));
};

const bucketStage: StageReader = (specification, { scope }) => {
  if (!isDocument(specification))
    return fail(40201, `Argument to $bucket stage must be an object, but found type: ${typeName(specification)}.`);
  for (const key in specification)
    if (!['groupBy', 'boundaries', 'default', 'output'].includes(key))
      fail(40197, `Unrecognized option to $bucket: ${key}.`);
  const { groupBy: by, boundaries, default: otherwise, output } = specification;
  if (by === undefined || boundaries === undefined)
    fail(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  if (!Array.isArray(boundaries) || boundaries.length < 2)
    return fail(40192, "The $bucket 'boundaries' field must be an array of at least 2 values");
  for (let i = 1; i < boundaries.length; i += 1) {
    if (compareValues(boundaries[i - 1], boundaries[i]) >= 0)
      fail(40194, "The 'boundaries' option to $bucket must be sorted");
  }
  const value = parseExpression(by, scope);
  const bucket: Expression = (root, variables) => {
    const held = value(root, variables) ?? null;
    const above = boundaries.findIndex((boundary) => compareValues(held, boundary) < 0);
    if (above > 0) return boundaries[above - 1] as unknown;
    return otherwise === undefined
      ? fail(40066, '$switch could not find a matching branch for an input, and no default was specified.')
      : otherwise;
  };
  const group = groupBy(bucket, readFields(isDocument(output) ? output : { count: documentOf({ $sum: 1 }) }, scope));
  return (input, host, variables) => [...group(input, host, variables)].sort((a, b) => compareValues(a._id, b._id));
};

const bucketAutoStage: StageReader = (specification, { scope }) => {
  if (!isDocument(specification)) return fail(40240, 'The argument to $bucketAuto must be an object');
  if ('granularity' in specification) refuse('the granularity of $bucketAuto');
  for (const key in specification)
    if (!['groupBy', 'buckets', 'output'].includes(key)) fail(40245, `Unrecognized option to $bucketAuto: ${key}.`);
  const value = parseExpression(specification.groupBy, scope);
  const buckets =
    isNumeric(specification.buckets) && toNumber(specification.buckets) > 0
      ? toNumber(specification.buckets)
      : fail(40241, "The $bucketAuto 'buckets' field must be greater than 0");
  const fields = readFields(
    isDocument(specification.output) ? specification.output : { count: documentOf({ $sum: 1 }) },
    scope,
  );
  return function* (input, _host, variables) {
    const rows = Array.from(input, (document) => ({ document, key: value(document, variables) ?? null })).sort((a, b) =>
      compareValues(a.key, b.key),
    );
    const size = Math.max(1, Math.round(rows.length / buckets));
    for (let start = 0, made = 1; start < rows.length; made += 1) {
      let end = made === buckets ? rows.length : Math.min(rows.length, start + size);
      while (end < rows.length && compareValues(rows[end - 1]!.key, rows[end]!.key) === 0) end += 1;
      const accumulators = fields.map((field) => field.make(rows[start]!.document, variables));
      for (const { document } of rows.slice(start, end))
        fields.forEach((field, i) => accumulators[i]!.add(field.input(document, variables)));
      yield groupDocument(
        documentOf({ min: rows[start]!.key, max: (rows[end] ?? rows[end - 1]!).key }),
        fields,
        accumulators,
      );
      start = end;
    }
  };
};

const sampleStage: StageReader = (specification) => {
  const given = isDocument(specification)
    ? specification.size
    : fail(28745, 'the $sample stage specification must be an object');
  const size = isNumeric(given)
    ? Math.trunc(toNumber(given))
    : fail(28746, 'size argument to $sample must be a number');
  if (size <= 0) fail(28747, 'size argument to $sample must be a positive integer');
  return (input) => {
    const documents = [...input];
    // The first places of a Fisher–Yates shuffle.
    for (let i = 0; i < Math.min(size, documents.length); i += 1) {
      const k = i + Math.floor(Math.random() * (documents.length - i));
      [documents[i], documents[k]] = [documents[k]!, documents[i]!];
    }
    return documents.slice(0, size);
  };
};

export const GROUPS: StageTable = {
  $group: groupStage,
  $count: countStage,
  $sortByCount: sortByCountStage,
  $bucket: bucketStage,
  $bucketAuto: bucketAutoStage,
  $sample: sampleStage,
};
