import { findElement, rawName, toBytes, valueEnd, type RawDoc } from '../bson/raw.js';
import { encodeKey } from '../language/key.js';
import { decode, decodeValue } from '../language/decode.js';
import { MongoError } from '../language/errors.js';
import { isDocument, T } from '../language/values.js';

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

const isArray = Symbol('array');

/** The value at the path without decoding the rest; undefined when there is none, `isArray` when the path meets an array. */
function plainValue(raw: RawDoc, rawSegments: string[]): unknown {
  let start = 0;
  for (let depth = 0; ; depth += 1) {
    const segment = rawSegments[depth]!;
    const at = findElement(raw, start, segment);
    if (at < 0) return undefined;
    const type = raw.charCodeAt(at);
    const value = at + 1 + segment.length;
    if (type === T.array) return isArray;
    if (depth === rawSegments.length - 1) return decodeValue(type, toBytes(raw.slice(value, valueEnd(raw, type, value))), 0);
    if (type !== T.object) return undefined;
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

/** The keys under which an index holds the document. Error 171 when two of its fields hold arrays. */
export function keysOf(raw: RawDoc, fields: KeyField[]): Keys {
  let key = '';
  let absent = true;
  for (const { rawSegments, direction } of fields) {
    const value = plainValue(raw, rawSegments);
    if (value === isArray) return multikeysOf(decode(toBytes(raw)), fields);
    if (value !== undefined) absent = false;
    // An index does not tell a missing field from null.
    key += encodeKey([value ?? null], directionList(direction));
  }
  return { keys: [key], multikey: false, absent };
}

function multikeysOf(doc: unknown, fields: KeyField[]): Keys {
  let keys = [''];
  let arrayField: string | undefined;
  let absent = true;
  for (const { path, segments, direction } of fields) {
    const found: Found = { values: [], throughArray: false, absent: true };
    collect(doc, segments, 0, found);
    if (!found.absent) absent = false;
    if (found.throughArray) {
      if (arrayField !== undefined)
        throw new MongoError('CannotIndexParallelArrays', `cannot index parallel arrays [${last(path)}] [${last(arrayField)}]`);
      arrayField = path;
    }
    const encoded = [...new Set(found.values.map((value) => encodeKey([value], directionList(direction))))];
    keys = keys.flatMap((prefix) => encoded.map((part) => prefix + part));
  }
  return { keys, multikey: true, absent };
}

const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

interface Found {
  /** null stands for a missing field, undefined for an empty array, as in the server's indexes. */
  values: unknown[];
  throughArray: boolean;
  absent: boolean;
}

/** The values that an index on a path holds: of an array its elements. */
function collect(value: unknown, segments: string[], depth: number, found: Found): void {
  if (depth === segments.length) {
    found.absent = false;
    if (!Array.isArray(value)) found.values.push(value);
    else collectElements(value, found);
    return;
  }
  const segment = segments[depth]!;
  if (Array.isArray(value)) collectThroughArray(value, segments, depth, found);
  else if (isDocument(value) && Object.hasOwn(value, segment)) collect(value[segment], segments, depth + 1, found);
  else found.values.push(null);
}

function collectElements(array: unknown[], found: Found): void {
  found.throughArray = true;
  if (array.length === 0) found.values.push(undefined);
  else found.values.push(...array);
}

function collectThroughArray(array: unknown[], segments: string[], depth: number, found: Found): void {
  found.throughArray = true;
  const segment = segments[depth]!;
  if (/^\d+$/.test(segment) && Number(segment) < array.length) {
    collect(array[Number(segment)], segments, depth + 1, found);
    if (!array.some(isDocument)) return;
  }
  let any = false;
  for (const element of array) {
    if (!isDocument(element)) continue;
    any = true;
    collect(element, segments, depth + 1, found);
  }
  if (!any) found.values.push(null);
}
