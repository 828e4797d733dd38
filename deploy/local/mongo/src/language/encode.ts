import type { Binary, Double, ObjectId } from 'bson';
import { type Document, refuseType, T, typeOf } from './values.js';

/** The largest document that can be stored; messages may be larger by what surrounds it. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

let scratch = Buffer.allocUnsafe(64 * 1024);
let position = 0;

/** The BSON bytes of a document in the representation of values.ts, in a buffer of their own; the field `first` leads. */
export function encode(document: Document, first?: string): Buffer {
  position = 0;
  writeDocument(document, first);
  const bytes = Buffer.allocUnsafe(position);
  scratch.copy(bytes, 0, 0, position);
  return bytes;
}

function reserve(bytes: number): void {
  if (position + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, position + bytes));
  scratch.copy(larger, 0, 0, position);
  scratch = larger;
}

function writeDocument(document: Document, first?: string): void {
  const start = position;
  reserve(5);
  position += 4;
  if (first !== undefined && document[first] !== undefined) writeElement(first, document[first]);
  for (const key in document) {
    const value = document[key];
    if (value !== undefined && key !== first) writeElement(key, value);
  }
  endDocument(start);
}

function writeArray(values: readonly unknown[]): void {
  const start = position;
  reserve(5);
  position += 4;
  for (let i = 0; i < values.length; i += 1) writeElement(String(i), values[i] ?? null);
  endDocument(start);
}

function endDocument(start: number): void {
  reserve(1);
  scratch[position] = 0;
  position += 1;
  scratch.writeInt32LE(position - start, start);
}

function writeElement(key: string, value: unknown): void {
  const type = typeOf(value);
  reserve(1);
  scratch[position] = type;
  position += 1;
  writeCString(key);
  writeValue(type, value);
}

function writeValue(type: number, value: unknown): void {
  switch (type) {
    case T.string:
      return writeString(value as string);
    case T.int:
      reserve(4);
      position = scratch.writeInt32LE(value as number, position);
      return;
    case T.double:
      reserve(8);
      position = scratch.writeDoubleLE(typeof value === 'number' ? value : (value as Double).value, position);
      return;
    case T.long:
      return writeInt64(value as bigint);
    case T.date:
      return writeDate((value as Date).getTime());
    case T.bool:
      reserve(1);
      scratch[position] = value ? 1 : 0;
      position += 1;
      return;
    case T.object:
      return writeDocument(value as Document);
    case T.array:
      return writeArray(value as unknown[]);
    case T.objectId:
      return writeBytes((value as ObjectId).id);
    case T.null:
      return;
    case T.binData:
      return writeBinary(value as Binary);
    default:
      refuseType(type);
  }
}

function writeBinary(binary: Binary): void {
  const bytes = binary.buffer.subarray(0, binary.position);
  reserve(5);
  position = scratch.writeInt32LE(bytes.length, position);
  scratch[position] = binary.sub_type;
  position += 1;
  writeBytes(bytes);
}

function writeDate(ms: number): void {
  const high = Math.floor(ms / 2 ** 32);
  reserve(8);
  scratch.writeUInt32LE(ms - high * 2 ** 32, position);
  position = scratch.writeInt32LE(high, position + 4);
}

function writeInt64(value: bigint): void {
  reserve(8);
  position = scratch.writeBigInt64LE(value, position);
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, position);
  position += bytes.length;
}

function writeCString(text: string): void {
  writeText(text);
  scratch[position] = 0;
  position += 1;
}

function writeString(text: string): void {
  reserve(4);
  const start = position;
  position += 4;
  writeText(text);
  scratch[position] = 0;
  position += 1;
  scratch.writeInt32LE(position - start - 4, start);
}

/** Writes UTF-8 and leaves room for one more byte. Short ASCII is cheaper to write here than by a native call. */
function writeText(text: string): void {
  reserve(text.length * 3 + 1);
  const start = position;
  if (text.length <= 24) {
    let i = 0;
    for (; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) break;
      scratch[position + i] = unit;
    }
    if (i === text.length) {
      position += i;
      return;
    }
  }
  position = start + scratch.write(text, start, 'utf8');
}
