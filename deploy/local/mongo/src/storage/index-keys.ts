import { findElement, rawName, toBytes, type RawDoc } from '../bson/raw.js';
import { encodeKey } from '../language/key.js';
import { decode } from '../language/decode.js';
import { MongoError } from '../language/errors.js';
import { addMissing, addRawValue, beginKey, finishKey } from '../language/raw-key.js';
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

/** A key, or the beginning of one, and whether it stands for nothing but missing fields. */
interface Part {
  text: string;
  absent: boolean;
}

function multikeysOf(doc: unknown, fields: KeyField[], sparse: boolean): Keys {
  let parts: Part[] = [{ text: '', absent: true }];
  let arrayField: string | undefined;
  for (const { path, segments, direction } of fields) {
    const found: Found = { values: [], throughArray: false };
    collect(doc, segments, 0, found);
    if (found.throughArray) {
      if (arrayField !== undefined)
        throw new MongoError(
          'CannotIndexParallelArrays',
          `cannot index parallel arrays [${last(path)}] [${last(arrayField)}]`,
        );
      arrayField = path;
    }
    const own = found.values.map((value): Part => ({
      text: encodeKey([value === missing ? null : value], directionList(direction)),
      absent: value === missing,
    }));
    parts = parts.flatMap((prefix) =>
      own.map((part) => ({ text: prefix.text + part.text, absent: prefix.absent && part.absent })),
    );
  }
  const kept = sparse ? parts.filter((part) => !part.absent) : parts;
  return {
    keys: [...new Set(kept.map(({ text }) => text))],
    multikey: true,
    absent: parts.every((part) => part.absent),
  };
}

const last = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Stands for a field that is not there: an index takes it for null, a sparse one leaves it out. */
const missing = Symbol('missing');

interface Found {
  /** undefined stands for an empty array, as in the server's indexes. */
  values: unknown[];
  throughArray: boolean;
}

/** The values that an index on a path holds: of an array its elements. */
function collect(value: unknown, segments: string[], depth: number, found: Found): void {
  if (depth === segments.length) {
    if (!Array.isArray(value)) found.values.push(value);
    else collectElements(value, found);
    return;
  }
  const segment = segments[depth]!;
  if (Array.isArray(value)) collectThroughArray(value, segments, depth, found);
  else if (isDocument(value) && Object.hasOwn(value, segment)) collect(value[segment], segments, depth + 1, found);
  else found.values.push(missing);
}

function collectElements(array: unknown[], found: Found): void {
  found.throughArray = true;
  if (array.length === 0) found.values.push(undefined);
  else found.values.push(...array);
}

/** A number names an element, unless the elements are documents; otherwise each of those is asked for the field. */
function collectThroughArray(array: unknown[], segments: string[], depth: number, found: Found): void {
  found.throughArray = true;
  const segment = segments[depth]!;
  if (/^\d+$/.test(segment) && Number(segment) < array.length) {
    collect(array[Number(segment)], segments, depth + 1, found);
    if (!array.some(isDocument)) return;
  }
  for (const element of array) {
    if (isDocument(element)) collect(element, segments, depth, found);
    else found.values.push(missing);
  }
  if (array.length === 0) found.values.push(missing);
}
