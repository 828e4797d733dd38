import { refuse } from '../errors.js';
import type { Document } from '../values.js';

export function compileUpdatePipeline(_stages: Document[], _values: Document): (document: Document) => Document {
  return refuse('pipeline updates');
}
