import { Binary, BSONRegExp, Double, ObjectId } from 'bson';
import { fail, refuse } from './errors.js';
import { type Document, newDocument, refuseType, T } from './values.js';

const MAX_DEPTH = 200;

/** The document that starts at `offset`, in the representation of values.ts. Throws InvalidBSON (22) on broken bytes. */
export function decode(bytes: Uint8Array, offset = 0): Document {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readElements(buffer, offset, buffer.length, 0, newDocument());
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'RangeError') fail('InvalidBSON', `invalid BSON: ${message}`);
    throw error;
  }
}

/** How many bytes the value of an element takes. */
function valueSize(type: number, buffer: Buffer, offset: number): number {
  switch (type) {
    case T.double:
    case T.date:
    case T.long:
      return 8;
    case T.string:
      return 4 + buffer.readInt32LE(offset);
    case T.object:
    case T.array:
      return buffer.readInt32LE(offset);
    case T.binData:
      return 5 + buffer.readInt32LE(offset);
    case T.objectId:
      return 12;
    case T.bool:
      return 1;
    case T.int:
      return 4;
    case T.regex: {
      const pattern = buffer.indexOf(0, offset);
      return buffer.indexOf(0, pattern + 1) + 1 - offset;
    }
    case T.null:
      return 0;
    default:
      return refuseType(type);
  }
}

/** Reads elements into a document, or into an array, which needs no names. */
function readElements<T extends Document | unknown[]>(
  buffer: Buffer,
  start: number,
  limit: number,
  depth: number,
  into: T,
): T {
  const size = buffer.readInt32LE(start);
  const end = start + size - 1;
  if (size < 5 || end >= limit || buffer[end] !== 0) fail('InvalidBSON', 'invalid BSON: wrong document size');
  if (depth > MAX_DEPTH) fail('Overflow', `a document must not nest deeper than ${MAX_DEPTH} levels`);
  let at = start + 4;
  while (at < end) {
    const type = buffer[at]!;
    let nameEnd = at + 1;
    while (buffer[nameEnd] !== 0) nameEnd += 1;
    if (nameEnd >= end) fail('InvalidBSON', 'invalid BSON: unterminated field name');
    const valueAt = nameEnd + 1;
    const length = valueSize(type, buffer, valueAt);
    if (length < 0 || valueAt + length > end) fail('InvalidBSON', 'invalid BSON: a value exceeds its document');
    const value = readValue(type, buffer, valueAt, end, depth);
    if (Array.isArray(into)) into.push(value);
    else into[readName(buffer, at + 1, nameEnd)] = value;
    at = valueAt + length;
  }
  return into;
}

function readValue(type: number, buffer: Buffer, at: number, limit: number, depth: number): unknown {
  switch (type) {
    case T.double: {
      const value = buffer.readDoubleLE(at);
      return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value;
    }
    case T.string:
      return readString(buffer, at);
    case T.object:
      return readElements(buffer, at, limit, depth + 1, newDocument());
    case T.array:
      return readElements(buffer, at, limit, depth + 1, []);
    case T.objectId:
      return new ObjectId(buffer.subarray(at, at + 12));
    case T.bool:
      return buffer[at] === 1;
    case T.date:
      return readDate(buffer, at);
    case T.null:
      return null;
    case T.int:
      return buffer.readInt32LE(at);
    case T.long:
      return buffer.readBigInt64LE(at);
    case T.binData:
      return new Binary(buffer.subarray(at + 5, at + 5 + buffer.readInt32LE(at)), buffer[at + 4]);
    case T.regex: {
      const end = buffer.indexOf(0, at);
      return new BSONRegExp(
        buffer.toString('utf8', at, end),
        buffer.toString('utf8', end + 1, buffer.indexOf(0, end + 1)),
      );
    }
    default:
      return refuseType(type);
  }
}

function readDate(buffer: Buffer, at: number): Date {
  const date = new Date(buffer.readInt32LE(at + 4) * 2 ** 32 + buffer.readUInt32LE(at));
  if (Number.isNaN(date.getTime())) refuse('a date beyond 8.64e15 ms from 1970');
  return date;
}

function readString(buffer: Buffer, at: number): string {
  const length = buffer.readInt32LE(at) - 1;
  const start = at + 4;
  if (length < 0 || buffer[start + length] !== 0) fail('InvalidBSON', 'invalid BSON: unterminated string');
  if (length <= 12) return readName(buffer, start, start + length);
  return buffer.toString('utf8', start, start + length);
}

// Field names and short strings recur: a small cache spares their making, and gives V8 the same string for the same key.
const CACHE_BITS = 12;
const cache: string[] = new Array<string>(1 << CACHE_BITS).fill('');

function readName(buffer: Buffer, start: number, end: number): string {
  let hash = end - start;
  for (let i = start; i < end; i += 1) {
    const byte = buffer[i]!;
    if (byte > 0x7f) return buffer.toString('utf8', start, end);
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = (hash ^ (hash >>> CACHE_BITS)) & ((1 << CACHE_BITS) - 1);
  const held = cache[slot]!;
  if (held.length === end - start && sameAscii(held, buffer, start)) return held;
  return (cache[slot] = buffer.toString('latin1', start, end));
}

function sameAscii(text: string, buffer: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) !== buffer[start + i]) return false;
  return true;
}
