import { BSONRegExp } from 'bson';
import { fail, refuse } from '../errors.js';
import { parseExpression, type Variables, valueAt } from '../expression.js';

import { encodeValue } from '../key.js';
import { type Document, documentOf, isDocument, newDocument, typeName } from '../values.js';
import { put } from './shape.js';
import type { PipelineHost, Stage, StageContext, StageReader, StageTable } from './stage.js';

/** Stages that bring in documents of other collections, or run pipelines within the pipeline. */

interface Lookup {
  from: string | undefined;
  as: string[];
  local?: string[];
  foreign?: string;
  variables: [string, ReturnType<typeof parseExpression>][];
  pipeline: Stage | undefined;
}

const LOOKUP_OPTIONS = new Set(['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']);

function text(options: Document, key: string, stage: string): string {
  const value = options[key];
  return typeof value === 'string'
    ? value
    : fail('FailedToParse', `${stage} argument '${key}' must be a string, found ${typeName(value)}`);
}

function readLookup(options: unknown, { scope, compile }: StageContext): Lookup {
  if (!isDocument(options)) return fail('FailedToParse', 'the $lookup specification must be an Object');
  for (const key in options) if (!LOOKUP_OPTIONS.has(key)) fail('FailedToParse', `unknown argument to $lookup: ${key}`);
  if (isDocument(options.from)) refuse('$lookup from another database');
  if ('localField' in options !== 'foreignField' in options)
    fail('FailedToParse', "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
  if (!('pipeline' in options) && !('localField' in options))
    fail('FailedToParse', "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  const bindings = isDocument(options.let) ? options.let : {};
  const inner = new Set([...scope, ...Object.keys(bindings)]);
  return {
    from: 'from' in options ? text(options, 'from', '$lookup') : undefined,
    as: text(options, 'as', '$lookup').split('.'),
    ...('localField' in options && {
      local: text(options, 'localField', '$lookup').split('.'),
      foreign: text(options, 'foreignField', '$lookup'),
    }),
    variables: Object.entries(bindings).map(([name, value]) => [name, parseExpression(value, scope)]),
    pipeline: 'pipeline' in options ? compile(options.pipeline, inner, '$lookup') : undefined,
  };
}

const lookupStage: StageReader = (specification, context) => {
  const lookup = readLookup(specification, context);
  return function* (input, host, variables) {
    for (const document of input)
      yield put(document, lookup.as, [...joined(document, lookup, host, variables)]) as Document;
  };
};

function joined(document: Document, lookup: Lookup, host: PipelineHost, variables: Variables): Iterable<Document> {
  const filter =
    lookup.local && lookup.foreign !== undefined
      ? equalityFilter(valueAt(document, lookup.local, 0), lookup.foreign)
      : undefined;
  const found = lookup.from === undefined ? [] : host.collection(lookup.from, filter);
  if (!lookup.pipeline) return found;
  const inner = Object.create(variables) as Variables;
  for (const [name, expression] of lookup.variables) inner[name] = expression(document, variables);
  return lookup.pipeline(found, host, inner);
}

/** Documents whose field equals the local value, or any element of it; a missing one equals null. */
function equalityFilter(local: unknown, foreign: string): Document {
  const values: unknown[] = Array.isArray(local) ? [...(local as unknown[]), local] : [local ?? null];
  if (values.some((value) => value instanceof BSONRegExp)) {
    return documentOf({ $or: values.map((value) => documentOf({ [foreign]: documentOf({ $eq: value }) })) });
  }
  const condition = values.length === 1 ? documentOf({ $eq: values[0] }) : documentOf({ $in: values });
  return documentOf({ [foreign]: condition });
}

const facetStage: StageReader = (specification, { scope, compile }) => {
  if (!isDocument(specification) || Object.keys(specification).length === 0)
    return fail(40169, 'the $facet specification must be a non-empty object');
  const facets = Object.entries(specification).map(([name, stages]) => {
    if (name.startsWith('$') || name.includes('.'))
      fail('FailedToParse', `$facet: field name '${name}' must not start with '$' or contain '.'`);
    return [name, compile(stages, scope, '$facet')] as const;
  });
  return function* (input, host, variables) {
    const documents = [...input];
    const result = newDocument();
    for (const [name, pipeline] of facets) result[name] = [...pipeline(documents, host, variables)];
    yield result;
  };
};

const unionWithStage: StageReader = (specification, { scope, compile }) => {
  const options: Document = isDocument(specification) ? specification : { coll: specification };
  for (const key in options)
    if (key !== 'coll' && key !== 'pipeline') fail(40415, `BSON field '$unionWith.${key}' is an unknown field.`);
  const from = 'coll' in options ? text(options, 'coll', '$unionWith') : undefined;
  if (from === undefined && !('pipeline' in options))
    fail(
      'FailedToParse',
      '$unionWith stage without explicit collection must have a pipeline with $documents as first stage',
    );
  const pipeline = 'pipeline' in options ? compile(options.pipeline, scope, '$unionWith') : undefined;
  return function* (input, host, variables) {
    yield* input;
    const others = from === undefined ? [] : host.collection(from);
    yield* pipeline ? pipeline(others, host, variables) : others;
  };
};

interface Graph {
  from: string;
  start: ReturnType<typeof parseExpression>;
  connectFrom: string[];
  connectTo: string;
  as: string[];
  maxDepth: number;
  depthField: string | undefined;
  restriction: Document | undefined;
}

function readGraph(options: unknown, { scope }: StageContext): Graph {
  if (!isDocument(options)) return fail('FailedToParse', 'the $graphLookup stage specification must be an object');
  const known = [
    'from',
    'startWith',
    'connectFromField',
    'connectToField',
    'as',
    'maxDepth',
    'depthField',
    'restrictSearchWithMatch',
  ];
  for (const key in options) if (!known.includes(key)) fail(40104, `unknown argument to $graphLookup: ${key}`);
  if (!('startWith' in options))
    fail(
      40105,
      "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.",
    );
  const { maxDepth = Infinity, depthField, restrictSearchWithMatch: restriction } = options;
  return {
    from: text(options, 'from', '$graphLookup'),
    start: parseExpression(options.startWith, scope),
    connectFrom: text(options, 'connectFromField', '$graphLookup').split('.'),
    connectTo: text(options, 'connectToField', '$graphLookup'),
    as: text(options, 'as', '$graphLookup').split('.'),
    maxDepth: Number(maxDepth),
    depthField: depthField === undefined ? undefined : text(options, 'depthField', '$graphLookup'),
    restriction: isDocument(restriction) ? restriction : undefined,
  };
}

const graphLookupStage: StageReader = (specification, context) => {
  const graph = readGraph(specification, context);
  return function* (input, host, variables) {
    for (const document of input) yield put(document, graph.as, reached(document, graph, host, variables)) as Document;
  };
};

/** Breadth first: what the start values reach in up to `maxDepth` further steps, each document once. */
function reached(document: Document, graph: Graph, host: PipelineHost, variables: Variables): Document[] {
  const found: Document[] = [];
  const seen = new Set<string>();
  let frontier = listOf(graph.start(document, variables));
  for (let depth = 0; depth <= graph.maxDepth && frontier.length > 0; depth += 1) {
    const next: unknown[] = [];
    const condition = documentOf({ [graph.connectTo]: documentOf({ $in: frontier }) });
    const filter = graph.restriction ? documentOf({ $and: [condition, graph.restriction] }) : condition;
    for (const other of host.collection(graph.from, filter)) {
      const key = encodeValue(other._id);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push(graph.depthField === undefined ? other : (put(other, [graph.depthField], BigInt(depth)) as Document));
      next.push(...listOf(valueAt(other, graph.connectFrom, 0)));
    }
    frontier = next;
  }
  return found;
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value];

export const JOINS: StageTable = {
  $lookup: lookupStage,
  $facet: facetStage,
  $unionWith: unionWithStage,
  $graphLookup: graphLookupStage,
};
