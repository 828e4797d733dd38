import { fail, unsupported } from './errors.js';
import { pathParts } from './path.js';
import { type Document, isDocument, isNumeric, isTrue, newDocument } from './values.js';

/** Returns whether a projection includes a top-level field. */
export type Projection = (name: string) => boolean;

/** Compiles a projection of `find` or `$project` that includes or excludes top-level fields. */
export function compileProjection(specification: Document): Projection {
  const flags = new Map<string, boolean>();
  for (const path in specification) {
    const value = specification[path];
    if (typeof value !== 'boolean' && !isNumeric(value))
      unsupported(`the projection ${isDocument(value) ? Object.keys(value).join() : String(value)} of '${path}'`);
    if (pathParts(path).length > 1) unsupported(`a projection of the path '${path}'`);
    flags.set(path, isTrue(value));
  }
  // A projection must not mix inclusions and exclusions of fields other than `_id`.
  const others = [...flags].filter(([name]) => name !== '_id').map(([, keep]) => keep);
  const includes = others[0] ?? flags.get('_id') === true;
  const what = includes ? 'exclusion in inclusion' : 'inclusion in exclusion';
  if (others.includes(!includes)) fail(includes ? 31254 : 31253, `Cannot do ${what} projection`);
  return (name) => flags.get(name) ?? (name === '_id' || !includes);
}

/** Returns the fields of a document that a projection includes. */
export function project(document: Document, includes: Projection): Document {
  const result = newDocument();
  for (const key in document) if (includes(key)) result[key] = document[key];
  return result;
}
