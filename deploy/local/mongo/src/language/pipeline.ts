import { Doc } from './doc.js';
import { fail, unsupported } from './errors.js';
import { parseExpression } from './expression.js';
import { compileFilter } from './filter.js';
import { encodeValue } from './key.js';
import { pathParts } from './path.js';
import { compileProjection, project } from './project.js';
import { compileSort, sorted } from './sort.js';
import {
  addIntegers,
  type Document,
  documentOf,
  isDocument,
  isInteger,
  isNumeric,
  newDocument,
  toNumber,
  typeName,
  withField,
} from './values.js';

type Stage = (input: Iterable<Document>) => Iterable<Document>;
type StageCompiler = (specification: unknown, name: string) => Stage;
type Change = (document: Document) => Document;

function documentOfStage(specification: unknown, name: string): Document {
  if (isDocument(specification)) return specification;
  return fail('FailedToParse', `the specification of ${name} must be an object, but is ${typeName(specification)}`);
}

/** Returns the value as a number. Throws unless it is a whole number of at least `min`. */
function countOfStage(value: unknown, name: string, min: number): number {
  const number = toNumber(value);
  if (Number.isInteger(number) && number >= min) return number;
  return fail('FailedToParse', `${name} needs an integer of at least ${min}, not ${String(value)}`);
}

const setStage = (specification: unknown, name: string): Change => {
  const fields = Object.entries(documentOfStage(specification, name)).map(([path, value]) => {
    if (pathParts(path).length > 1) unsupported(`a computed field at the path '${path}'`);
    return [path, parseExpression(value)] as const;
  });
  return (document) => fields.reduce((changed, [field, value]) => withField(changed, field, value(document)), document);
};

function replaceBy(newRoot: unknown, name: string): Change {
  const expression = parseExpression(newRoot);
  return (document) => {
    const root = expression(document);
    if (isDocument(root)) return root;
    return fail(40228, `the new root of ${name} must be an object, not type '${typeName(root)}'`);
  };
}

/** The stages that transform single documents. Updates may only contain these. */
export const DOCUMENT_STAGES: Readonly<Record<string, (specification: unknown, name: string) => Change>> = {
  $project(specification, name) {
    const includes = compileProjection(documentOfStage(specification, name));
    return (document) => project(document, includes);
  },
  $set: setStage,
  $addFields: setStage,
  $replaceWith: replaceBy,
  $replaceRoot: (specification, name) => replaceBy(documentOfStage(specification, name).newRoot, name),
};

const documentStage = (specification: unknown, name: string): Stage => {
  const change = DOCUMENT_STAGES[name]!(specification, name);
  return (input) => mapped(input, change);
};

export const STAGES: Readonly<Record<string, StageCompiler>> = {
  $match(specification, name) {
    const { matches } = compileFilter(documentOfStage(specification, name));
    return function* (input) {
      for (const document of input) if (matches(document)) yield document;
    };
  },
  $sort(specification, name) {
    const compare = compileSort(documentOfStage(specification, name));
    return (input) => sorted(input, compare, (document) => Doc.of(document).raw.length);
  },
  $limit(specification, name) {
    const limit = countOfStage(specification, name, 1);
    return (input) => slice(input, 0, limit);
  },
  $skip(specification, name) {
    const skip = countOfStage(specification, name, 0);
    return (input) => slice(input, skip, Infinity);
  },
  $group: groupStage,
  $count(field) {
    if (typeof field !== 'string' || pathParts(field).length > 1) return fail(40156, '$count needs a field name');
    return function* (input) {
      let n = 0;
      for (const _ of input) n += 1;
      if (n > 0) yield documentOf({ [field]: n });
    };
  },
  ...Object.fromEntries(Object.keys(DOCUMENT_STAGES).map((name) => [name, documentStage])),
};

/**
 * Yields the result of `map` for each item. Shared by all commands, because a generator function that is created for
 * each command burdens the garbage collector.
 */
export function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Iterable<R> {
  for (const item of items) yield map(item);
}

/** Skips the first `skip` items, yields at most `limit` items, and reads no further. */
export function* slice<T>(items: Iterable<T>, skip: number, limit: number): Iterable<T> {
  let at = 0;
  for (const item of items) {
    at += 1;
    if (at > skip) yield item;
    if (at >= skip + limit) return;
  }
}

/** Groups documents by a key, in the order in which the keys are first seen, with `$sum` as the only accumulator. */
function groupStage(specification: unknown, name: string): Stage {
  const { _id, ...rest } = documentOfStage(specification, name);
  if (_id === undefined) fail(15955, 'a group specification must include an _id');
  const id = parseExpression(_id);
  const sums = Object.entries(rest).map(([field, accumulator]) => [field, parseSum(field, accumulator)] as const);
  return function* (input) {
    const groups = new Map<string, Document>();
    for (const document of input) {
      const key = id(document) ?? null;
      const encoded = encodeValue(key);
      const group =
        groups.get(encoded) ?? documentOf({ _id: key, ...Object.fromEntries(sums.map(([field]) => [field, 0])) });
      groups.set(encoded, group);
      for (const [field, value] of sums) group[field] = sum(group[field] as number, value(document));
    }
    yield* groups.values();
  };
}

/** Returns the expression that the `$sum` of a field adds up. */
function parseSum(field: string, accumulator: unknown): ReturnType<typeof parseExpression> {
  if (field.includes('.')) fail(40235, `The field name '${field}' cannot contain '.'`);
  if (!isDocument(accumulator)) fail(40234, `The field '${field}' must be an accumulator object`);
  const [operator, ...others] = Object.keys(accumulator);
  if (operator === undefined || others.length > 0) fail(40238, `The field '${field}' must specify one accumulator`);
  if (operator !== '$sum') unsupported(`the accumulator ${operator}`);
  return parseExpression(accumulator.$sum);
}

function sum(total: number | bigint, value: unknown): number | bigint {
  if (!isNumeric(value)) return total;
  return (
    (isInteger(value) ? addIntegers(total, value) : undefined) ??
    unsupported('a $sum of doubles or with a total above 64 bits')
  );
}

/** Returns whether the specification of a stage, or a part of it, reads fields of the input. */
const readsFields = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.startsWith('$')
    : typeof value === 'object' && value !== null && Object.values(value).some(readsFields);

export interface Pipeline {
  /** The filter of a leading `$match`, which `run` leaves to the planner. */
  filter: Document;
  /**
   * Whether `run` may need the fields of its input. False if it starts with a `$group` that reads no fields,
   * such as that of the driver's `countDocuments`.
   */
  reads: boolean;
  run: Stage;
}

/** Compiles a pipeline. Stages that are not in STAGES are refused. */
export function compilePipeline(stages: readonly unknown[]): Pipeline {
  const named = stages.map((stage) => [stageName(stage), stage as Document] as const);
  const compiled = named.map(([name, stage]) => {
    if (!Object.hasOwn(STAGES, name)) unsupported(`the stage ${name}`);
    return STAGES[name]!(stage[name], name);
  });
  const leading = named[0]?.[0] === '$match' ? (named[0][1].$match as Document) : undefined;
  const start = leading ? 1 : 0;
  const { $group } = named[start]?.[1] ?? newDocument();
  return {
    filter: leading ?? newDocument(),
    reads: $group === undefined || readsFields($group),
    run: (input) => compiled.slice(start).reduce((documents, stage) => stage(documents), input),
  };
}

/** Compiles the stages of an update. Stages that are not in DOCUMENT_STAGES are refused. */
export function compileUpdatePipeline(stages: readonly unknown[]): Change {
  const changes = stages.map((stage) => {
    const name = stageName(stage);
    if (!Object.hasOwn(DOCUMENT_STAGES, name)) unsupported(`the stage ${name} in an update`);
    return DOCUMENT_STAGES[name]!((stage as Document)[name], name);
  });
  return (document) => changes.reduce((changed, change) => change(changed), document);
}

function stageName(stage: unknown): string {
  if (!isDocument(stage)) return fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  const [name, ...others] = Object.keys(stage);
  if (name !== undefined && others.length === 0) return name;
  return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
}
