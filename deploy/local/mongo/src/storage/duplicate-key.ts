import type { Doc } from '../language/doc.js';
import { MongoError, show } from '../language/errors.js';
import { keysAt } from '../language/sort.js';
import { newDocument, type Document } from '../language/values.js';
import type { IndexSpec } from './collection-index.js';

/** Error 11000 as the server words it, with the pattern and the values of the violated index. */
export function duplicateKey(ns: string, spec: IndexSpec, doc: Doc): MongoError {
  const keyValue: Document = newDocument();
  for (const path of Object.keys(spec.key)) keyValue[path] = keysAt(doc.decoded, path.split('.'), 0)[0] ?? null;
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  const message = `E11000 duplicate key error collection: ${ns} index: ${spec.name} dup key: { ${shown.join(', ')} }`;
  return new MongoError('DuplicateKey', message, { keyPattern: spec.key, keyValue });
}
