import { ObjectId } from 'bson';
import { equalValues, identicalValues } from './compare.js';
import { compileUpdatePipeline } from './aggregate.js';
import { fail, show } from './errors.js';
import type { Variables } from './expression.js';
import { applyChanges, parseOperators } from './update/operators.js';
import { equalityFields } from './update/upsert.js';
import { type Document, newDocument } from './values.js';

export interface Update {
  kind: 'operators' | 'replacement' | 'pipeline';
  /** The document after the update; the given one stays as it is. `modified` is false if nothing changed. */
  apply: (document: Document) => { doc: Document; modified: boolean };
  /** The document that an upsert inserts: equalities of the filter, the update with `$setOnInsert`, and an `_id`. */
  upsert: (filter: Document) => Document;
}

/**
 * Checks and compiles an update: operators, a replacement, or a pipeline (an array), in which `variables` are the values of
 * `$$name`. Throws as the server does.
 */
export function compileUpdate(update: Document | Document[], variables: Variables = {}): Update {
  if (Array.isArray(update)) return compilePipelineUpdate(update, variables);
  if (!Object.keys(update)[0]?.startsWith('$')) return compileReplacement(update);
  const changes = parseOperators(update);
  return assemble(
    'operators',
    (document) => applyChanges(changes, document, false),
    (document) => applyChanges(changes, document, true),
  );
}

function compilePipelineUpdate(stages: Document[], variables: Variables): Update {
  const run = compileUpdatePipeline(stages, variables);
  // The result keeps the `_id` of a document that the stages removed it from.
  const change: Change = (document) => {
    const after = run(document);
    return after._id === undefined && document._id !== undefined ? withIdFirst(after, document._id) : after;
  };
  return assemble('pipeline', change, change);
}

function compileReplacement(replacement: Document): Update {
  for (const key in replacement) {
    if (key.startsWith('$'))
      fail(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${key}' in '${key}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
  }
  const replace = (document: Document): Document => {
    if (replacement._id !== undefined && document._id !== undefined && !equalValues(replacement._id, document._id))
      fail(
        'ImmutableField',
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${show(replacement._id)}`,
      );
    return withIdFirst(replacement, document._id ?? replacement._id);
  };
  return assemble('replacement', replace, replace);
}

type Change = (document: Document) => Document;

function assemble(kind: Update['kind'], change: Change, insert: Change): Update {
  return {
    kind,
    apply(document) {
      const after = change(document);
      if (after === document) return { doc: document, modified: false };
      checkId(document, after);
      return { doc: after, modified: kind === 'operators' || !identicalValues(document, after) };
    },
    upsert(filter) {
      const fixed = equalityFields(filter);
      // A replacement takes nothing from the filter but the _id.
      const start = kind === 'replacement' ? withIdFirst(newDocument(), fixed._id) : fixed;
      const made = insert(start);
      if (start._id !== undefined) checkId(start, made);
      return withIdFirst(made, made._id === undefined ? new ObjectId() : made._id);
    },
  };
}

function checkId(before: Document, after: Document): void {
  if (before._id === undefined || after._id === before._id || equalValues(before._id, after._id)) return;
  fail('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");
}

function withIdFirst(document: Document, id: unknown): Document {
  if (document._id === id && Object.keys(document)[0] === '_id') return document;
  const ordered = newDocument();
  if (id !== undefined) ordered._id = id;
  for (const key in document) if (key !== '_id') ordered[key] = document[key];
  return ordered;
}
