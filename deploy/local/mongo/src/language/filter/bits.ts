import { Binary } from 'bson';
import { fail } from '../errors.js';
import { isNumeric, toNumber } from '../values.js';

type BitOperator = '$bitsAllSet' | '$bitsAllClear' | '$bitsAnySet' | '$bitsAnyClear';

/** The test of `$bitsAllSet` and its kin: the operand is a bit mask, binary data, or a list of positions. */
export function bits(operator: BitOperator, operand: unknown): (value: unknown) => boolean {
  const positions = positionsOf(operator, operand);
  const wanted = operator.endsWith('Set');
  const all = operator.startsWith('$bitsAll');
  return (value) => {
    const bit = bitReader(value);
    if (!bit) return false;
    const holds = (position: number): boolean => bit(position) === wanted;
    return all ? positions.every(holds) : positions.some(holds);
  };
}

function positionsOf(operator: string, operand: unknown): number[] {
  if (Array.isArray(operand)) return operand.map((value: unknown) => positionOf(operator, value));
  if (operand instanceof Binary) return setBits(operand.position * 8, (i) => bitOf(operand, i));
  const mask = isNumeric(operand)
    ? toNumber(operand)
    : fail('BadValue', `${operator} takes an Array, a number, or a BinData but received: ${String(operand)}`);
  if (!Number.isInteger(mask) || mask < 0)
    fail('FailedToParse', `Expected a non-negative number in: ${operator}: ${mask}`);
  const integer = typeof operand === 'bigint' ? operand : BigInt(mask);
  return setBits(64, (i) => ((integer >> BigInt(i)) & 1n) === 1n);
}

function positionOf(operator: string, value: unknown): number {
  const position = isNumeric(value) ? toNumber(value) : NaN;
  if (!Number.isInteger(position)) fail('BadValue', `bit positions must be an integer but got: ${operator}`);
  if (position < 0) fail('BadValue', `bit positions must be >= 0 but got: ${operator}: ${position}`);
  return position;
}

function setBits(count: number, isSet: (position: number) => boolean): number[] {
  return Array.from({ length: count }, (_, i) => i).filter(isSet);
}

/** Reads the bits of a 64-bit integer, sign-extended, or of binary data; undefined for anything else. */
function bitReader(value: unknown): ((position: number) => boolean) | undefined {
  if (value instanceof Binary) return (position) => bitOf(value, position);
  if (!isNumeric(value)) return undefined;
  const number = toNumber(value);
  if (typeof value !== 'bigint' && (!Number.isInteger(number) || Math.abs(number) >= 2 ** 63)) return undefined;
  const integer = typeof value === 'bigint' ? value : BigInt(number);
  return (position) => ((integer >> BigInt(Math.min(position, 63))) & 1n) === 1n;
}

function bitOf(binary: Binary, position: number): boolean {
  const byte = position >> 3;
  return byte < binary.position && (binary.buffer[byte]! & (1 << (position & 7))) !== 0;
}
