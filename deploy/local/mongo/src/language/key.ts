import type { Binary, ObjectId } from 'bson';
import { type Document, TYPE, toNumber, typeOf } from './values.js';

/** Sort order of BSON types. Types with the same rank are compared by value. Index keys begin with the rank. */
export const RANK = {
  missing: 3,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  regex: 50,
} as const;

const RANKS = new Map(
  Object.entries(TYPE).map(([name, type]) => [
    type as number,
    RANK[name in RANK ? (name as keyof typeof RANK) : 'number'],
  ]),
);

export const rankOf = (value: unknown): number => RANKS.get(typeOf(value))!;

/**
 * Encodes one or more values as an index key: a string with one Latin-1 character per byte. Keys sort like the values
 * under compareValues, each ascending (1) or descending (-1); equal values have equal keys. No key is a proper prefix
 * of another key with the same number of values.
 */
export function encodeKey(values: readonly unknown[], directions?: readonly number[]): string {
  let key = '';
  for (let i = 0; i < values.length; i += 1) {
    const part = encodeValue(values[i]);
    key += directions && directions[i]! < 0 ? inverted(part) : part;
  }
  return key;
}

const CHARS = Array.from({ length: 256 }, (_, i) => String.fromCharCode(i));

function inverted(part: string): string {
  let text = '';
  for (let i = 0; i < part.length; i += 1) text += CHARS[255 - part.charCodeAt(i)]!;
  return text;
}

/** Returns the ascending key of one value. */
export function encodeValue(value: unknown): string {
  if (typeof value === 'string') return CHARS[RANK.string]! + encodeText(value);
  if (typeof value === 'number') return CHARS[RANK.number]! + encodeDouble(value) + '\0';
  const rank = rankOf(value);
  return CHARS[rank]! + encodeBody(rank, value);
}

function encodeBody(rank: number, value: unknown): string {
  switch (rank) {
    case RANK.number:
      return typeof value === 'bigint' ? encodeLong(value) : encodeDouble(toNumber(value)) + '\0';
    case RANK.object:
      return encodeFields(value as Document);
    case RANK.array:
      return (value as unknown[]).map(encodeValue).join('') + '\0';
    case RANK.binData:
      return encodeBinary(value as Binary);
    case RANK.objectId:
      return twelveChars((value as ObjectId).id);
    case RANK.bool:
      return value ? '\x01' : '\0';
    case RANK.date:
      return encodeDate((value as Date).getTime());
    default:
      return '';
  }
}

// All arguments are written out, because converting a Buffer with `toString` is several times slower.
const twelveChars = (b: Uint8Array): string =>
  String.fromCharCode(b[0]!, b[1]!, b[2]!, b[3]!, b[4]!, b[5]!, b[6]!, b[7]!, b[8]!, b[9]!, b[10]!, b[11]!);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const PLAIN = /^[\x01-\x7f]*$/;

/** Encodes text as UTF-8, terminated by NUL. An embedded NUL is escaped as NUL 0xff. */
function encodeText(text: string): string {
  if (PLAIN.test(text)) return text + '\0';
  return Buffer.from(text, 'utf8').toString('latin1').replaceAll('\0', '\0\xff') + '\0';
}

function encodeBinary(binary: Binary): string {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(binary.position);
  header[4] = binary.sub_type;
  return header.toString('latin1') + latin1(binary.buffer.subarray(0, binary.position));
}

function encodeFields(document: Document): string {
  let text = '';
  for (const key in document) {
    const value = encodeValue(document[key]);
    text += value[0]! + encodeText(key) + value.slice(1);
  }
  return text + '\0';
}

const scratch = Buffer.alloc(8);

const scratchChars = (): string =>
  String.fromCharCode(
    scratch[0]!,
    scratch[1]!,
    scratch[2]!,
    scratch[3]!,
    scratch[4]!,
    scratch[5]!,
    scratch[6]!,
    scratch[7]!,
  );

function encodeDate(ms: number): string {
  const high = Math.floor(ms / 2 ** 32);
  scratch.writeUInt32BE(high + 2 ** 31);
  scratch.writeUInt32BE(ms - high * 2 ** 32, 4);
  return scratchChars();
}

/** Encodes a double so that the bytes sort like the numbers: NaN first, -0 equal to 0. */
function encodeDouble(value: number): string {
  if (Number.isNaN(value)) return '\0\0\0\0\0\0\0\0';
  scratch.writeDoubleBE(value === 0 ? 0 : value);
  if (scratch[0]! & 0x80) for (let i = 0; i < 8; i += 1) scratch[i]! ^= 0xff;
  else scratch[0]! ^= 0x80;
  return scratchChars();
}

/** Encodes an int64 as the greatest double that does not exceed it, followed by the difference unless that is 0. */
function encodeLong(value: bigint): string {
  const near = Number(value);
  const floor = BigInt(near) > value ? below(near) : near;
  const rest = Number(value - BigInt(floor));
  return encodeDouble(floor) + (rest === 0 ? '\0' : '\x01' + CHARS[rest >> 8]! + CHARS[rest & 0xff]!);
}

/** Returns the next smaller double. */
function below(value: number): number {
  scratch.writeDoubleBE(value);
  scratch.writeBigUInt64BE(scratch.readBigUInt64BE() + (value > 0 ? -1n : 1n));
  return scratch.readDoubleBE();
}
