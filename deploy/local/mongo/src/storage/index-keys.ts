import { findElement, rawName, toBytes, type RawDoc } from '../bson/raw.js';
import { encodeKey } from '../language/key.js';
import { decode } from '../language/decode.js';
import { MongoError } from '../language/errors.js';
import { addMissing, addRawValue, beginKey, finishKey } from '../language/raw-key.js';
import { isDocument, T, type Document } from '../language/values.js';

export type Direction = 1 | -1;

/** One field of an index: its dotted path, ready for reading it from raw documents. */
export interface KeyField {
  path: string;
  segments: string[];
  rawSegments: string[];
  direction: Direction;
}

export const keyField = (path: string, direction: Direction): KeyField => {
  const segments = path.split('.');
  return { path, segments, rawSegments: segments.map(rawName), direction };
};

/** Adds the value at the path to the key, without decoding the rest; false when an array stands on the path. */
function addPlainValue(raw: RawDoc, { rawSegments, direction }: KeyField, found: { any: boolean }): boolean {
  let start = 0;
  for (let depth = 0; ; depth += 1) {
    const segment = rawSegments[depth]!;
    const at = findElement(raw, start, segment);
    const type = at < 0 ? T.missing : raw.charCodeAt(at);
    if (type === T.array) return false;
    const value = at + 1 + segment.length;
    if (at >= 0 && depth === rawSegments.length - 1) {
      addRawValue(type, raw, value, direction);
      found.any = true;
      return true;
    }
    if (type !== T.object) {
      addMissing(direction);
      return true;
    }
    start = value;
  }
}

const single: Direction[][] = [[1], [-1]];
const directionList = (direction: Direction): Direction[] => single[direction === 1 ? 0 : 1]!;

export interface Keys {
  keys: string[];
  /** Whether an array stood on one of the paths: the document may then have several keys, or a key for a part of it. */
  multikey: boolean;
  /** Whether none of the fields is in the document. */
  absent: boolean;
}

/** The key of a stored document's `_id`, which is its first field. */
export function idKey(raw: RawDoc): string {
  beginKey();
  addRawValue(raw.charCodeAt(4), raw, 9, 1);
  return finishKey();
}

/**
 * The keys under which an index holds the document; a sparse one has none for elements of arrays that lack all fields.
 * Error 171 when two of its fields hold arrays.
 */
export function keysOf(raw: RawDoc, fields: KeyField[], sparse = false): Keys {
  const found = { any: false };
  beginKey();
  for (const field of fields) {
    if (!addPlainValue(raw, field, found)) return multikeysOf(decode(toBytes(raw)), fields, sparse);
  }
  return { keys: [finishKey()], multikey: false, absent: !found.any };
}

function multikeysOf(doc: Document, fields: KeyField[], sparse: boolean): Keys {
  const keys = new Set<string>();
  let absent = true;
  const places = fields.map(({ segments }): Place => ({ value: doc, rest: segments, settled: false, absent: false }));
  expand(places, (values, lacksAll) => {
    absent &&= lacksAll;
    if (sparse && lacksAll) return;
    keys.add(values.map((value, i) => encodeKey([value], directionList(fields[i]!.direction))).join(''));
  });
  return { keys: [...keys], multikey: true, absent };
}

/** How far a field's path has been followed. */
interface Place {
  /** What is there; settled: what the index holds. */
  value: unknown;
  /** What is left of the path. */
  rest: readonly string[];
  settled: boolean;
  absent: boolean;
}

const settled = (value: unknown): Place => ({ value, rest: [], settled: true, absent: false });
const nothing: Place = { value: null, rest: [], settled: true, absent: true };

/** Follows a path to its end, or into an array, of which one element after the other is to be taken. */
function follow(place: Place): Place {
  if (place.settled) return place;
  let { value } = place;
  for (let at = 0; at < place.rest.length; at += 1) {
    const segment = place.rest[at]!;
    if (Array.isArray(value)) {
      const isPosition = /^\d+$/.test(segment) && Number(segment) < value.length;
      if (!isPosition) return { ...place, value, rest: place.rest.slice(at) };
      value = value[Number(segment)];
    } else if (isDocument(value) && value[segment] !== undefined) value = value[segment];
    else return nothing;
  }
  return Array.isArray(value) ? { ...place, value, rest: [] } : settled(value);
}

/** Hands `onKey` the values of each key: all paths that lead into an array stand for the same element of it, each in turn. */
function expand(places: Place[], onKey: (values: unknown[], lacksAll: boolean) => void): void {
  const followed = places.map(follow);
  const arrays = followed.filter((place) => !place.settled).map(({ value }) => value as unknown[]);
  const [array] = arrays;
  if (!array) {
    return onKey(
      followed.map(({ value }) => value),
      followed.every(({ absent }) => absent),
    );
  }
  if (arrays.some((other) => other !== array))
    throw new MongoError('CannotIndexParallelArrays', 'cannot index parallel arrays');
  // An empty array is kept as undefined, which is below null.
  for (const element of array.length === 0 ? [undefined] : array) {
    expand(
      followed.map((place) => (place.settled ? place : inElement(place, element))),
      onKey,
    );
  }
}

/** At the end of a path the element is what the index holds, also when it is an array; else the path goes on in a document. */
function inElement(place: Place, element: unknown): Place {
  if (place.rest.length === 0) return settled(element);
  return isDocument(element) ? { ...place, value: element } : nothing;
}
