import { compareValues } from '../compare.js';
import { fail, MongoError } from '../errors.js';
import type { Variables } from '../expression.js';
import { show } from '../show.js';
import { copyDocument, type Document, isDocument, typeName } from '../values.js';
import { compileUpdatePipeline } from './update-pipeline.js';
import { parseExpression, type Scope, valueAt } from '../expression.js';

/** What the last stage writes (`$out`, `$merge`); the core carries it out. */
export type Output =
  | { kind: 'out'; db?: string; collection: string }
  | {
      kind: 'merge';
      db?: string;
      collection: string;
      /** The fields that identify a document; `['_id']` unless given. */
      on: string[];
      whenNotMatched: 'insert' | 'discard' | 'fail';
      /** The document to store in place of the existing one; undefined keeps it. Throws DuplicateKey for `fail`. */
      combine(existing: Document, incoming: Document): Document | undefined;
    };

export function readOut(specification: unknown): Output {
  if (typeof specification === 'string') return { kind: 'out', collection: specification };
  if (!isDocument(specification))
    return fail(16990, `$out only supports a string or object argument, but found ${typeName(specification)}`);
  for (const key in specification)
    if (key !== 'db' && key !== 'coll')
      fail('CommandNotSupported', `the option ${key} of $out is not supported by this engine`);
  return { kind: 'out', ...target(specification, '$out') };
}

function target(into: unknown, stage: string): { db?: string; collection: string } {
  if (typeof into === 'string') return { collection: into };
  if (!isDocument(into) || typeof into.coll !== 'string')
    return fail(51178, `${stage} 'into' field must be either a string or an object with a 'coll'`);
  return { collection: into.coll, ...(typeof into.db === 'string' && { db: into.db }) };
}

const OPTIONS = ['into', 'on', 'let', 'whenMatched', 'whenNotMatched'];

export function readMerge(specification: unknown, scope: Scope, variables: Variables): Output {
  const options: Document = isDocument(specification) ? specification : { into: specification };
  if (!isDocument(specification) && typeof specification !== 'string')
    fail(51182, `$merge only supports a string or object argument, not ${typeName(specification)}`);
  for (const key in options) if (!OPTIONS.includes(key)) fail(40415, `BSON field '$merge.${key}' is an unknown field.`);
  const { on = '_id', whenMatched = 'merge', whenNotMatched = 'insert' } = options;
  const fields = Array.isArray(on) ? (on as unknown[]) : [on];
  if (fields.length === 0 || !fields.every((field) => typeof field === 'string'))
    fail(51186, "$merge 'on' field must be a string or an array of strings");
  if (whenNotMatched !== 'insert' && whenNotMatched !== 'discard' && whenNotMatched !== 'fail') {
    return fail(
      'BadValue',
      `Enumeration value '${show(whenNotMatched)}' for field '$merge.whenNotMatched' is not a valid value.`,
    );
  }
  return {
    kind: 'merge',
    ...target(options.into, '$merge'),
    on: fields,
    whenNotMatched,
    combine: combiner(whenMatched, fields, options, scope, variables),
  };
}

type Combine = (existing: Document, incoming: Document) => Document | undefined;

function combiner(whenMatched: unknown, on: string[], options: Document, scope: Scope, variables: Variables): Combine {
  if (Array.isArray(whenMatched)) return pipelineCombiner(whenMatched as Document[], options.let, scope, variables);
  if ('let' in options) fail(51199, "Cannot use 'let' variables with 'whenMatched' mode other than a pipeline");
  switch (whenMatched) {
    case 'replace':
      return (existing, incoming) => keepingId(existing, incoming);
    case 'keepExisting':
      return () => undefined;
    case 'merge':
      return (existing, incoming) => Object.assign(copyDocument(existing), keepingId(existing, incoming));
    case 'fail':
      return (existing) => {
        const keyValue = Object.fromEntries(on.map((field) => [field, valueAt(existing, field.split('.'), 0)]));
        throw new MongoError(
          'DuplicateKey',
          `E11000 duplicate key error: $merge found a document with ${show(keyValue)}`,
          {
            keyPattern: Object.fromEntries(on.map((field) => [field, 1])),
            keyValue,
          },
        );
      };
    default:
      return fail(
        'BadValue',
        `Enumeration value '${show(whenMatched)}' for field '$merge.whenMatched' is not a valid value.`,
      );
  }
}

function keepingId(existing: Document, incoming: Document): Document {
  if (incoming._id !== undefined && compareValues(existing._id, incoming._id) !== 0) {
    fail(
      'ImmutableField',
      '$merge failed to update the matching document, did you attempt to modify the _id or the shard key?',
    );
  }
  return Object.assign(copyDocument({ _id: existing._id }), incoming, { _id: existing._id });
}

function pipelineCombiner(stages: Document[], bindings: unknown, scope: Scope, variables: Variables): Combine {
  const given: Document = isDocument(bindings) ? bindings : { new: '$$ROOT' };
  const expressions = Object.entries(given).map(([name, value]) => [name, parseExpression(value, scope)] as const);
  const names = new Set([...scope, ...expressions.map(([name]) => name), 'new']);
  const run = compileUpdatePipeline(stages, variables, names);
  return (existing, incoming) => {
    const inner = Object.create(variables) as Variables;
    inner.new = incoming;
    for (const [name, expression] of expressions) inner[name] = expression(incoming, variables);
    return keepingId(existing, run(existing, inner));
  };
}
