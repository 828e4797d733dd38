import { refuse } from './errors.js';
import type { Document } from './values.js';

export interface UpdateOptions {
  arrayFilters?: Document[];
  /** Values of `$$name` in a pipeline. */
  let?: Document;
}

export interface Update {
  kind: 'operators' | 'replacement' | 'pipeline';
  /** The document after the update; the given one stays as it is. `modified` is false if nothing changed. */
  apply(document: Document, options?: { position?: string }): { doc: Document; modified: boolean };
  /** The document that an upsert inserts: equalities of the filter, then the update with `$setOnInsert`, and an `_id`. */
  upsert(filter: Document): Document;
}

/** Checks and compiles an update: operators, a replacement, or a pipeline (an array). Throws as the server does. */
export function compileUpdate(_update: Document | Document[], _options: UpdateOptions = {}): Update {
  return refuse('update');
}
