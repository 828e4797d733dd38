import type { Binary, Double, ObjectId } from 'bson';
import { type Document, refuseType, T, typeOf } from './values.js';

/** The largest document that can be stored; messages may be larger by what surrounds it. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Room for the type of an element, the end of its name, and a value of a fixed size. */
const FIXED_BYTES = 24;

let scratch = Buffer.allocUnsafe(64 * 1024);
let position = 0;

/** The BSON bytes of a document in the representation of values.ts, in a buffer of their own; the field `first` leads. */
export function encode(document: Document, first?: string): Buffer {
  position = 0;
  writeFields(document, first);
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

/** Writes a document, or an array, whose fields are its positions. */
function writeFields(fields: Document, first?: string): void {
  const start = position;
  reserve(FIXED_BYTES);
  position += 4;
  if (first !== undefined && fields[first] !== undefined) writeElement(first, fields[first]);
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && key !== first) writeElement(key, value);
  }
  reserve(1);
  position = scratch.writeUInt8(0, position);
  scratch.writeInt32LE(position - start, start);
}

function writeElement(key: string, value: unknown): void {
  const type = typeOf(value);
  reserve(key.length * 3 + FIXED_BYTES);
  position = scratch.writeUInt8(type, position);
  writeText(key);
  switch (type) {
    case T.string:
      return writeString(value as string);
    case T.int:
      position = scratch.writeInt32LE(value as number, position);
      return;
    case T.double:
      position = scratch.writeDoubleLE(typeof value === 'number' ? value : (value as Double).value, position);
      return;
    case T.long:
      position = scratch.writeBigInt64LE(value as bigint, position);
      return;
    case T.date:
      position = scratch.writeBigInt64LE(BigInt((value as Date).getTime()), position);
      return;
    case T.bool:
      position = scratch.writeUInt8(value ? 1 : 0, position);
      return;
    case T.object:
    case T.array:
      return writeFields(value as Document);
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
  position = scratch.writeInt32LE(bytes.length, position);
  position = scratch.writeUInt8(binary.sub_type, position);
  writeBytes(bytes);
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, position);
  position += bytes.length;
}

function writeString(text: string): void {
  const start = position;
  reserve(text.length * 3 + FIXED_BYTES);
  position += 4;
  writeText(text);
  scratch.writeInt32LE(position - start - 4, start);
}

/** Writes UTF-8 and its end. Short ASCII is cheaper to write here than by a native call. */
function writeText(text: string): void {
  let i = 0;
  for (; i < text.length && i < 24; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) break;
    scratch[position + i] = unit;
  }
  position += i === text.length ? i : scratch.write(text, position, 'utf8');
  scratch[position] = 0;
  position += 1;
}
