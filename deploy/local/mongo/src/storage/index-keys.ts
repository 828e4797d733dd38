import { encodeKey } from '../language/key.js';
import { fail, refuse } from '../language/errors.js';
import { isDocument, type Document } from '../language/values.js';

export type Direction = 1 | -1;

/** One field of an index. */
export interface KeyField {
  path: string;
  segments: string[];
  direction: Direction;
}

export const keyField = (path: string, direction: Direction): KeyField => ({
  path,
  segments: path.split('.'),
  direction,
});

export interface Keys {
  keys: string[];
  /** Whether one of the fields is an array: the document then has a key for each of its elements. */
  multikey: boolean;
  /** Whether none of the fields is in the document. */
  absent: boolean;
}

const descending = [-1];
const partOf = (value: unknown, direction: Direction): string =>
  encodeKey([value], direction === 1 ? undefined : descending);

/** The keys under which an index holds the document. Error 171 when two of its fields hold arrays. */
export function keysOf(doc: Document, fields: readonly KeyField[]): Keys {
  let [keys, multikey, absent] = [[''], false, true];
  for (const field of fields) {
    const value = valueAt(doc, field);
    if (value !== undefined) absent = false;
    if (!Array.isArray(value)) {
      // An index does not tell a missing field from null.
      const part = partOf(value ?? null, field.direction);
      for (let i = 0; i < keys.length; i += 1) keys[i] += part;
      continue;
    }
    if (multikey) fail('CannotIndexParallelArrays', 'cannot index parallel arrays');
    multikey = true;
    // An empty array is kept as undefined, which is below null.
    const elements: unknown[] = value.length === 0 ? [undefined] : value;
    const parts = new Set(elements.map((element) => partOf(element, field.direction)));
    keys = Array.from(parts, (part) => keys[0]! + part);
  }
  return { keys, multikey, absent };
}

function valueAt(doc: Document, { path, segments }: KeyField): unknown {
  let value: unknown = doc;
  for (const segment of segments) {
    if (Array.isArray(value)) refuse(`an array before the end of '${path}', the path of an index,`);
    value = isDocument(value) ? value[segment] : undefined;
  }
  return value;
}
