import { BSONSymbol, Code, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { isDecimal, isNumeric, toNumber, typeName } from '../values.js';
import { isNullish } from './args.js';

/** The text of a value for string operators: numbers and dates have one, null is empty, other types are errors. */
export function textOf(value: unknown, name: string): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return numberText(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof BSONSymbol) return value.value;
  if (value instanceof Code) return value.code;
  if (value instanceof Timestamp) return `Timestamp(${value.getHighBitsUnsigned()}, ${value.getLowBitsUnsigned()})`;
  return fail(16007, `can't convert from BSON type ${typeName(value)} to String (${name})`);
}

/** A number as `$toString` writes it. */
export function numberText(value: unknown): string {
  if (typeof value === 'bigint' || isDecimal(value)) return value.toString();
  const number = toNumber(value);
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? 'Infinity' : '-Infinity';
  if (Object.is(number, -0)) return '-0';
  const exponent = Math.floor(Math.log10(Math.abs(number) || 1));
  if (exponent >= -5 && exponent < 16) return plain(number);
  return number.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

const plain = (number: number): string => {
  const text = String(number);
  return text.includes('e') ? number.toFixed(20).replace(/0+$/, '') : text;
};
