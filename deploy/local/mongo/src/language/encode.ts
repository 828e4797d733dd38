import type { Binary, ObjectId } from 'bson';
import { type Document, unsupportedType, TYPE, toNumber, typeOf } from './values.js';

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Upper bound of the total size of an element's type, the NUL after its name, and a value of fixed size. */
const FIXED_BYTES = 24;

/** A scratch buffer that grew beyond this size is not reused. */
const MAX_SCRATCH_BYTES = 1024 * 1024;

let scratch = Buffer.allocUnsafe(64 * 1024);
let position = 0;

/**
 * Encodes a document as BSON, after `offset` bytes for a header. The field named `first` is encoded before the others.
 * A value that is a Buffer is a document that is already encoded.
 */
export function encode(document: Document, first?: string, offset = 0): Buffer {
  position = offset;
  writeFields(document, first);
  const bytes = Buffer.allocUnsafe(position);
  scratch.copy(bytes, offset, offset, position);
  if (scratch.length > MAX_SCRATCH_BYTES) scratch = Buffer.allocUnsafe(MAX_SCRATCH_BYTES);
  return bytes;
}

function reserve(bytes: number): void {
  if (position + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, position + bytes));
  scratch.copy(larger, 0, 0, position);
  scratch = larger;
}

/** Writes a document, or an array with its indexes as field names. */
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
  const isEncoded = value instanceof Uint8Array;
  const type = isEncoded ? TYPE.object : typeOf(value);
  reserve(key.length * 3 + FIXED_BYTES);
  position = scratch.writeUInt8(type, position);
  writeText(key);
  if (type === TYPE.string) writeString(value as string);
  else if (isEncoded) writeBytes(value);
  else if (type === TYPE.object || type === TYPE.array) writeFields(value as Document);
  else if (type === TYPE.objectId) writeBytes((value as ObjectId).id);
  else if (type === TYPE.binData) writeBinary(value as Binary);
  else if (type !== TYPE.null) position = writeFixed(type, value);
}

function writeFixed(type: number, value: unknown): number {
  switch (type) {
    case TYPE.int:
      return scratch.writeInt32LE(value as number, position);
    case TYPE.double:
      return scratch.writeDoubleLE(toNumber(value), position);
    case TYPE.long:
      return scratch.writeBigInt64LE(value as bigint, position);
    case TYPE.date:
      return scratch.writeBigInt64LE(BigInt((value as Date).getTime()), position);
    case TYPE.bool:
      return scratch.writeUInt8(value ? 1 : 0, position);
    default:
      return unsupportedType(type);
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

/** Writes UTF-8 and a NUL. Short ASCII is written here, since a native call costs more. */
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
