import { encodeKey } from '../language/key.js';
import { MongoError } from '../language/errors.js';
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
  /** Whether an array stood on one of the paths: the document may then have several keys, or a key for a part of it. */
  multikey: boolean;
  /** Whether none of the fields is in the document. */
  absent: boolean;
}

/**
 * The keys under which an index holds the document; a sparse one has none for elements of arrays that lack all fields.
 * Error 171 when two of its fields hold arrays.
 */
export function keysOf(doc: Document, fields: readonly KeyField[], sparse = false): Keys {
  return singleKey(doc, fields) ?? multikeysOf(doc, fields, sparse);
}

/** The one key of a document without arrays on the paths; undefined when there is an array. */
function singleKey(doc: Document, fields: readonly KeyField[]): Keys | undefined {
  let [key, absent] = ['', true];
  for (const { segments, direction } of fields) {
    let value: unknown = doc;
    for (const segment of segments) {
      if (Array.isArray(value)) return undefined;
      value = isDocument(value) ? value[segment] : undefined;
    }
    if (Array.isArray(value)) return undefined;
    if (value !== undefined) absent = false;
    key += encodeKey([value ?? null], direction === 1 ? undefined : descending);
  }
  return { keys: [key], multikey: false, absent };
}

const descending = [-1];

function multikeysOf(doc: Document, fields: readonly KeyField[], sparse: boolean): Keys {
  const keys = new Set<string>();
  const result = { multikey: false, absent: true };
  const directions = fields.map(({ direction }) => direction);
  const places = fields.map(({ segments }): Place => ({ value: doc, rest: segments, settled: false, absent: false }));
  expand(places, result, (values, lacksAll) => {
    result.absent &&= lacksAll;
    if (!sparse || !lacksAll) keys.add(encodeKey(values, directions));
  });
  return { keys: [...keys], ...result };
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
/** An index does not tell a missing field from null. */
const nothing: Place = { value: null, rest: [], settled: true, absent: true };

/** Follows a path to its end, or into an array, of which one element after the other is to be taken. */
function follow(place: Place, found: { multikey: boolean }): Place {
  if (place.settled) return place;
  let { value } = place;
  for (let at = 0; at < place.rest.length; at += 1) {
    const segment = place.rest[at]!;
    if (Array.isArray(value)) {
      found.multikey = true;
      const isPosition = /^\d+$/.test(segment) && Number(segment) < value.length;
      if (!isPosition) return { ...place, value, rest: place.rest.slice(at) };
      value = value[Number(segment)];
    } else if (isDocument(value) && value[segment] !== undefined) value = value[segment];
    else return nothing;
  }
  return Array.isArray(value) ? { ...place, value, rest: [] } : settled(value);
}

/** Hands `onKey` the values of each key: all paths that lead into an array stand for the same element of it, each in turn. */
function expand(
  places: Place[],
  found: { multikey: boolean },
  onKey: (values: unknown[], lacksAll: boolean) => void,
): void {
  const followed = places.map((place) => follow(place, found));
  const arrays = followed.filter((place) => !place.settled).map(({ value }) => value as unknown[]);
  const [array] = arrays;
  if (!array) {
    return onKey(
      followed.map(({ value }) => value),
      followed.every(({ absent }) => absent),
    );
  }
  found.multikey = true;
  if (arrays.some((other) => other !== array))
    throw new MongoError('CannotIndexParallelArrays', 'cannot index parallel arrays');
  // An empty array is kept as undefined, which is below null.
  for (const element of array.length === 0 ? [undefined] : array) {
    expand(
      followed.map((place) => (place.settled ? place : inElement(place, element))),
      found,
      onKey,
    );
  }
}

/** At the end of a path the element is what the index holds, also when it is an array; else the path goes on in a document. */
function inElement(place: Place, element: unknown): Place {
  if (place.rest.length === 0) return settled(element);
  return isDocument(element) ? { ...place, value: element } : nothing;
}
