import type { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from 'bson';
import { comparable, rankOf } from './compare.js';
import { compareDecimals, type Decimal } from './decimal.js';
import { type Document, isDecimal, toNumber } from './values.js';

/**
 * A key of one or more values as a string of Latin-1 characters, one a byte, whose order by `<` is the order of
 * compareValues over the values, each ascending (1) or descending (-1). Equal values give equal keys, whatever their
 * numeric type. No key is a proper prefix of another one of as many values.
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

/** The key of one value, ascending. */
export function encodeValue(value: unknown): string {
  if (typeof value === 'string') return '\x0f' + encodeText(value);
  if (typeof value === 'number') return '\x0a' + encodeDouble(value) + '\0';
  const rank = rankOf(value);
  return CHARS[rank]! + encodeBody(rank, value);
}

function encodeBody(rank: number, value: unknown): string {
  switch (rank) {
    case 10:
      return encodeNumber(value);
    case 15:
      return encodeText((value as BSONSymbol).value);
    case 20:
      return encodeFields(value as Document);
    case 25:
      return (value as unknown[]).map(encodeValue).join('') + '\0';
    case 30:
      return encodeBinary(value as Binary);
    case 35:
      return twelve((value as ObjectId).id);
    case 40:
      return value ? '\x01' : '\0';
    case 45:
      return encodeDate((value as Date).getTime());
    case 47:
      return encodeTimestamp(value as Timestamp);
    case 50:
      return encodeText((value as BSONRegExp).pattern) + encodeText((value as BSONRegExp).options);
    case 60:
      return encodeText((value as Code).code);
    case 65:
      return encodeText((value as Code).code) + encodeFields((value as Code).scope as Document);
    default:
      return '';
  }
}

/** Twelve bytes; spelled out, since a native call costs several times more. */
const twelve = (b: Uint8Array): string =>
  String.fromCharCode(b[0]!, b[1]!, b[2]!, b[3]!, b[4]!, b[5]!, b[6]!, b[7]!, b[8]!, b[9]!, b[10]!, b[11]!);

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const PLAIN = /^[\x01-\x7f]*$/;

/** UTF-8 with an end mark below every byte; a NUL inside is followed by 0xff, which no end mark is. */
function encodeText(text: string): string {
  if (PLAIN.test(text)) return text + '\0';
  return Buffer.from(text, 'utf8').toString('latin1').replaceAll('\0', '\0\xff') + '\0';
}

function encodeBinary(binary: Binary): string {
  const length = Buffer.alloc(5);
  length.writeUInt32BE(binary.position);
  length[4] = binary.sub_type;
  return length.toString('latin1') + latin1(binary.buffer.subarray(0, binary.position));
}

function encodeFields(document: Document): string {
  let text = '';
  for (const key in document) {
    const value = encodeValue(document[key]);
    text += value[0]! + encodeText(key) + value.slice(1);
  }
  return text + '\0';
}

const eight = Buffer.alloc(8);

const eightBytes = (): string =>
  String.fromCharCode(eight[0]!, eight[1]!, eight[2]!, eight[3]!, eight[4]!, eight[5]!, eight[6]!, eight[7]!);

function encodeDate(ms: number): string {
  const high = Math.floor(ms / 2 ** 32);
  eight.writeUInt32BE(high + 2 ** 31);
  eight.writeUInt32BE(ms - high * 2 ** 32, 4);
  return eightBytes();
}

function encodeTimestamp(value: Timestamp): string {
  eight.writeUInt32BE(value.getHighBitsUnsigned());
  eight.writeUInt32BE(value.getLowBitsUnsigned(), 4);
  return eightBytes();
}

/** The bits of a double, changed so that their order is that of the numbers; NaN first, -0 as 0. */
function encodeDouble(value: number): string {
  if (Number.isNaN(value)) return '\0\0\0\0\0\0\0\0';
  eight.writeDoubleBE(value === 0 ? 0 : value);
  if (eight[0]! & 0x80) for (let i = 0; i < 8; i += 1) eight[i]! ^= 0xff;
  else eight[0]! ^= 0x80;
  return eightBytes();
}

/** The greatest double not above the number; then, if the number is not that double, its exact digits. */
function encodeNumber(value: unknown): string {
  const near = toNumber(value);
  if (typeof value === 'bigint' ? Number.isSafeInteger(near) : !isDecimal(value)) return encodeDouble(near) + '\0';
  const exact = comparable(value);
  if (exact.special || near === 0) return encodeSmall(exact, near);
  const order = Number.isFinite(near) ? compareDecimals(exact, comparable(near)) : Math.sign(-near);
  if (order === 0) return encodeDouble(near) + '\0';
  return encodeDouble(order < 0 ? below(near) : near) + '\x01' + encodeDigits(exact);
}

/** Decimals that are infinite, not a number, zero, or so small that the nearest double is zero. */
function encodeSmall(exact: Decimal, near: number): string {
  if (exact.special ?? exact.coefficient === 0n) return encodeDouble(near) + '\0';
  return encodeDouble(exact.negative ? below(0) : 0) + '\x01' + encodeDigits(exact);
}

function below(value: number): number {
  if (value === Infinity) return Number.MAX_VALUE;
  eight.writeDoubleBE(value === 0 ? -0 : value);
  eight.writeBigUInt64BE(eight.readBigUInt64BE() + (value > 0 ? -1n : 1n));
  return eight.readDoubleBE();
}

/** Scientific exponent and digits, ordered as the numbers are. */
function encodeDigits(exact: Decimal): string {
  const digits = exact.coefficient.toString();
  const scale = Buffer.alloc(2);
  scale.writeUInt16BE(digits.length + exact.exponent + 0x4000);
  const text = scale.toString('latin1') + digits.replace(/0+$/, '') + '\0';
  return exact.negative ? inverted(text) : text;
}
