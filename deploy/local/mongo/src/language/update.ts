import { BSONRegExp, ObjectId } from 'bson';
import { equalValues, identicalValues } from './compare.js';
import { fail, unsupported, show } from './errors.js';
import { pathParts } from './path.js';
import { compileUpdatePipeline } from './pipeline.js';
import { applyChanges, parseOperators } from './update/operators.js';
import { isOperators } from './filter/regex.js';
import { type Document, documentOf, newDocument } from './values.js';

export interface Update {
  kind: 'operators' | 'replacement' | 'pipeline';
  apply: (document: Document) => { doc: Document; modified: boolean };
  /**
   * Returns the document that an upsert inserts: the fields that the filter equates to a value, with the update applied
   * (including `$setOnInsert`), and an `_id`.
   */
  upsert: (filter: Document) => Document;
}

type Change = (document: Document) => Document;

/** Compiles an update: operators, a replacement, or a pipeline (an array). */
export function compileUpdate(update: Document | Document[]): Update {
  if (Array.isArray(update)) return pipelineUpdate(update);
  if (!Object.keys(update)[0]?.startsWith('$')) return replacementUpdate(update);
  const changes = parseOperators(update);
  return assemble(
    'operators',
    (document) => applyChanges(changes, document, false),
    (document) => applyChanges(changes, document, true),
  );
}

function pipelineUpdate(stages: Document[]): Update {
  const run = compileUpdatePipeline(stages);
  // The result keeps an `_id` that the stages removed.
  return assemble('pipeline', (document) => {
    const after = run(document);
    return after._id === undefined && document._id !== undefined ? withIdFirst(after, document._id) : after;
  });
}

function replacementUpdate(replacement: Document): Update {
  const dollar = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (dollar !== undefined)
    fail('DollarPrefixedFieldName', `The field '${dollar}' is not allowed in a replacement document.`);
  return assemble('replacement', (document) => {
    const id = document._id ?? replacement._id;
    if (replacement._id !== undefined && !equalValues(replacement._id, id))
      fail('ImmutableField', `the immutable field '_id' cannot be changed to ${show(replacement._id)}`);
    return withIdFirst(replacement, id);
  });
}

function assemble(kind: Update['kind'], change: Change, insert = change): Update {
  return {
    kind,
    apply(document) {
      const after = change(document);
      if (after === document) return { doc: document, modified: false };
      checkId(document, after);
      return { doc: after, modified: kind === 'operators' || !identicalValues(document, after) };
    },
    upsert(filter) {
      const equalities = equalityFields(filter);
      // A replacement takes only the _id from the filter.
      const start = kind === 'replacement' ? withIdFirst({}, equalities._id) : equalities;
      const inserted = insert(start);
      checkId(start, inserted);
      return withIdFirst(inserted, inserted._id === undefined ? new ObjectId() : inserted._id);
    },
  };
}

function checkId(before: Document, after: Document): void {
  if (before._id === undefined || equalValues(before._id, after._id)) return;
  fail('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");
}

function withIdFirst(document: Document, id: unknown): Document {
  if (document._id === id && Object.keys(document)[0] === '_id') return document;
  const { _id, ...others } = document;
  return documentOf(id === undefined ? others : { _id: id, ...others });
}

/**
 * Returns a document of the fields that a filter equates to one value. An upsert applies its update to this document.
 */
function equalityFields(filter: Document): Document {
  const fields = newDocument();
  for (const [key, value] of Object.entries(filter)) {
    const equates = isOperators(value)
      ? ['$eq', '$in', '$all'].some((name) => name in value)
      : !(value instanceof BSONRegExp);
    if (!equates || (key === '$or' && (value as Document[]).length > 1)) continue;
    if (key.startsWith('$')) unsupported(`an equality in ${key} in the filter of an upsert`);
    if (isOperators(value)) unsupported(`an equality operator for '${key}' in the filter of an upsert`);
    if (pathParts(key).length > 1) unsupported(`an equality with the path '${key}' in the filter of an upsert`);
    fields[key] = value;
  }
  return fields;
}
