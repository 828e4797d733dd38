import { int32, toBytes, valueEnd, type RawDoc } from '../bson/raw.js';
import { RANK } from './compare.js';
import { decodeValue } from './decode.js';
import { encodeValue } from './key.js';
import { T } from './values.js';

let bytes = Buffer.alloc(4096);
let length = 0;

/** Begins a new key. */
export function beginKey(): void {
  length = 0;
}

/** The key of all values that were added since it was begun. */
export const finishKey = (): string => bytes.toString('latin1', 0, length);

/**
 * Adds to the key what `encodeValue` gives for the value of `type` that begins at `at`, made from its bytes where that is
 * simple: indexes of a million documents are built at start, and every write makes keys.
 */
export function addRawValue(type: number, raw: RawDoc, at: number, direction: number): void {
  const start = length;
  if (!addSimple(type, raw, at)) {
    length = start;
    addText(encodeValue(decodeValue(type, toBytes(raw.slice(at, valueEnd(raw, type, at))), 0)));
  }
  if (direction < 0) for (let i = start; i < length; i += 1) bytes[i]! ^= 0xff;
}

/** Adds what stands for a missing field, which an index does not tell from null. */
export function addMissing(direction: number): void {
  reserve(1);
  bytes[length] = direction < 0 ? RANK.null ^ 0xff : RANK.null;
  length += 1;
}

function reserve(more: number): void {
  if (length + more <= bytes.length) return;
  const larger = Buffer.alloc(Math.max(bytes.length * 2, length + more));
  bytes.copy(larger, 0, 0, length);
  bytes = larger;
}

function addText(text: string): void {
  reserve(text.length);
  length += bytes.write(text, length, 'latin1');
}

function addSimple(type: number, raw: RawDoc, at: number): boolean {
  switch (type) {
    case T.string:
      return addPlainText(raw, at + 4, int32(raw, at) - 1);
    case T.objectId:
      return addBytes(RANK.objectId, raw, at, 12);
    case T.bool:
      return addBytes(RANK.bool, raw, at, 1);
    case T.null:
      return addBytes(RANK.null, raw, at, 0);
    case T.date:
      return addDate(raw, at);
    case T.int:
      return addInt(int32(raw, at));
    default:
      return false;
  }
}

function addBytes(type: number, raw: RawDoc, at: number, count: number): boolean {
  reserve(count + 1);
  bytes[length] = type;
  for (let i = 0; i < count; i += 1) bytes[length + 1 + i] = raw.charCodeAt(at + i);
  length += count + 1;
  return true;
}

/** False for a text with other characters than ASCII or with a NUL inside. */
function addPlainText(raw: RawDoc, at: number, count: number): boolean {
  reserve(count + 2);
  bytes[length] = RANK.string;
  for (let i = 0; i < count; i += 1) {
    const byte = raw.charCodeAt(at + i);
    if (byte === 0 || byte > 0x7f) return false;
    bytes[length + 1 + i] = byte;
  }
  bytes[length + 1 + count] = 0;
  length += count + 2;
  return true;
}

/** The eight bytes in order of size, the sign turned. */
function addDate(raw: RawDoc, at: number): boolean {
  reserve(9);
  bytes[length] = RANK.date;
  for (let i = 0; i < 8; i += 1) bytes[length + 1 + i] = raw.charCodeAt(at + 7 - i);
  bytes[length + 1]! ^= 0x80;
  length += 9;
  return true;
}

/** As a double whose bits are in order: the sign turned, or all bits of a negative one. */
function addInt(value: number): boolean {
  reserve(10);
  bytes[length] = RANK.number;
  bytes.writeDoubleBE(value, length + 1);
  if (value < 0) for (let i = 1; i <= 8; i += 1) bytes[length + i]! ^= 0xff;
  else bytes[length + 1]! ^= 0x80;
  bytes[length + 9] = 0;
  length += 10;
  return true;
}
