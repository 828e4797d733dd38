import { refuse } from './errors.js';
import type { Document } from './values.js';

/** A comparator of documents for a sort specification such as `{ a: 1, 'b.c': -1 }`. Throws BadValue on a bad one. */
export function compileSort(_spec: Document): (a: Document, b: Document) => number {
  return refuse('sort');
}
