import { refuse } from './errors.js';
import type { Filter } from './filter.js';
import type { Document } from './values.js';

export interface ProjectionOptions {
  /** Values of `$$name`. */
  let?: Document;
  /** The query's filter, for the positional projection `a.$`. */
  filter?: Filter;
}

/** Checks and compiles a projection of `find`: inclusion, exclusion, expressions, `$slice`, `$elemMatch`, positional. */
export function compileProjection(_spec: Document, _options: ProjectionOptions = {}): (document: Document) => Document {
  return refuse('projection');
}
