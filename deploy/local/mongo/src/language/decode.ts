import { Binary, BSONRegExp, ObjectId } from 'bson';
import { fail, unsupported } from './errors.js';
import { type Document, double, newDocument, unsupportedType, TYPE } from './values.js';

const MAX_DEPTH = 200;

let position = 0;

/** Decodes the BSON document at `offset`. Throws InvalidBSON if it is malformed. */
export function decode(bytes: Uint8Array, offset = 0): Document {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  position = offset;
  try {
    return readElements(buffer, buffer.length, 0, newDocument());
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'RangeError') fail('InvalidBSON', `invalid BSON: ${message}`);
    throw error;
  }
}

/** Advances past the bytes of a value and returns their start. Throws InvalidBSON if they exceed the document. */
function take(bytes: number, end: number): number {
  const start = position;
  position += bytes;
  if (bytes < 0 || position > end) fail('InvalidBSON', 'invalid BSON: a value exceeds its document');
  return start;
}

/** Reads elements into a document or an array. */
function readElements<T extends Document | unknown[]>(buffer: Buffer, limit: number, depth: number, into: T): T {
  const size = buffer.readInt32LE(position);
  const end = position + size - 1;
  if (size < 5 || end >= limit || buffer[end] !== 0) fail('InvalidBSON', 'invalid BSON: wrong document size');
  if (depth > MAX_DEPTH) fail('Overflow', `a document must not nest deeper than ${MAX_DEPTH} levels`);
  position += 4;
  while (position < end) {
    const type = buffer[position]!;
    const nameAt = position + 1;
    let nameEnd = nameAt;
    while (buffer[nameEnd] !== 0) nameEnd += 1;
    if (nameEnd >= end) fail('InvalidBSON', 'invalid BSON: unterminated field name');
    position = nameEnd + 1;
    const value = readValue(type, buffer, end, depth);
    if (Array.isArray(into)) into.push(value);
    else into[readName(buffer, nameAt, nameEnd)] = value;
  }
  position = end + 1;
  return into;
}

function readValue(type: number, buffer: Buffer, end: number, depth: number): unknown {
  switch (type) {
    case TYPE.double:
      return double(buffer.readDoubleLE(take(8, end)));
    case TYPE.string:
      return readString(buffer, end);
    case TYPE.object:
      return readElements(buffer, end, depth + 1, newDocument());
    case TYPE.array:
      return readElements(buffer, end, depth + 1, []);
    case TYPE.objectId:
      return new ObjectId(buffer.subarray(take(12, end), position));
    case TYPE.bool:
      return buffer[take(1, end)] === 1;
    case TYPE.date:
      return readDate(buffer, take(8, end));
    case TYPE.null:
      return null;
    case TYPE.int:
      return buffer.readInt32LE(take(4, end));
    case TYPE.long:
      return buffer.readBigInt64LE(take(8, end));
    case TYPE.binData: {
      const header = take(5, end);
      return new Binary(buffer.subarray(take(buffer.readInt32LE(header), end), position), buffer[header + 4]);
    }
    case TYPE.regex: {
      const patternEnd = buffer.indexOf(0, position);
      const start = take(buffer.indexOf(0, patternEnd + 1) + 1 - position, end);
      const options = buffer.toString('utf8', patternEnd + 1, position - 1);
      return new BSONRegExp(buffer.toString('utf8', start, patternEnd), options);
    }
    default:
      return unsupportedType(type);
  }
}

function readDate(buffer: Buffer, at: number): Date {
  const date = new Date(buffer.readInt32LE(at + 4) * 2 ** 32 + buffer.readUInt32LE(at));
  if (Number.isNaN(date.getTime())) unsupported('a date more than 8.64e15 ms from 1970');
  return date;
}

function readString(buffer: Buffer, end: number): string {
  const start = take(buffer.readInt32LE(take(4, end)), end);
  const last = position - 1;
  if (last < start || buffer[last] !== 0) fail('InvalidBSON', 'invalid BSON: unterminated string');
  return last - start <= 12 ? readName(buffer, start, last) : buffer.toString('utf8', start, last);
}

// Field names and short strings recur. A small cache avoids allocating them again, and V8 compares them by reference.
const CACHE_BITS = 12;
const cache: string[] = new Array<string>(1 << CACHE_BITS).fill('');

/** Decodes the UTF-8 bytes from `start` to `end`: a field name or another short string. */
export function readName(buffer: Buffer, start: number, end: number): string {
  let hash = end - start;
  for (let i = start; i < end; i += 1) {
    const byte = buffer[i]!;
    if (byte > 0x7f) return buffer.toString('utf8', start, end);
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const slot = (hash ^ (hash >>> CACHE_BITS)) & ((1 << CACHE_BITS) - 1);
  const cached = cache[slot]!;
  if (cached.length === end - start && sameAscii(cached, buffer, start)) return cached;
  return (cache[slot] = buffer.toString('latin1', start, end));
}

function sameAscii(text: string, buffer: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) !== buffer[start + i]) return false;
  return true;
}
