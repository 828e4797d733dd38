import type { Doc } from '../language/doc.js';
import { MongoError } from '../language/errors.js';
import { isDocument, newDocument, type Document } from '../language/values.js';
import type { IndexSpec } from './collection-index.js';

/** The first value at a dotted path, looking into arrays; null when there is none. */
function valueAt(value: unknown, path: string[]): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value ?? null;
  if (Array.isArray(value)) {
    if (/^\d+$/.test(segment)) return valueAt(value[Number(segment)], rest);
    const found = value.map((element) => valueAt(element, path)).find((element) => element !== null);
    return found ?? null;
  }
  return isDocument(value) ? valueAt(value[segment], rest) : null;
}

/** Error 11000 as the server words it, with the pattern and the values of the violated index. */
export function duplicateKey(ns: string, spec: IndexSpec, doc: Doc): MongoError {
  const keyValue: Document = newDocument();
  for (const path of Object.keys(spec.key)) keyValue[path] = valueAt(doc.decoded, path.split('.'));
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  const message = `E11000 duplicate key error collection: ${ns} index: ${spec.name} dup key: { ${shown.join(', ')} }`;
  return new MongoError('DuplicateKey', message, { keyPattern: spec.key, keyValue });
}

/** A value as the server's messages show it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(show).join(', ')} ]`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDocument(value)) return showDocument(value);
  const type = (value as { _bsontype?: string } | null)?._bsontype;
  if (type === 'ObjectId') return `ObjectId('${String(value)}')`;
  return String(value);
}

function showDocument(value: Document): string {
  const shown = Object.entries(value).map(([key, field]) => `${key}: ${show(field)}`);
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`;
}
