import { Decimal128 } from 'bson';

/** A finite decimal is sign × coefficient × 10^exponent; `special` holds the others. IEEE 754-2008 decimal128. */
export interface Decimal {
  negative: boolean;
  coefficient: bigint;
  exponent: number;
  special?: 'nan' | 'infinity';
}

const BIAS = 6176;
const MAX_EXPONENT = 6111;
const DIGITS = 34;
const LIMIT = 10n ** 34n;
const NAN: Decimal = { negative: false, coefficient: 0n, exponent: 0, special: 'nan' };
const infinity = (negative: boolean): Decimal => ({ negative, coefficient: 0n, exponent: 0, special: 'infinity' });

export function fromDecimal128(value: Decimal128): Decimal {
  const bytes = Buffer.from(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = bytes.readBigUInt64LE(8);
  const negative = high >> 63n === 1n;
  const kind = Number((high >> 58n) & 0x1fn);
  if (kind === 0x1f) return NAN;
  if (kind === 0x1e) return infinity(negative);
  // The form with an implicit prefix exceeds 34 digits: the standard reads it as zero.
  if (kind >> 3 === 3) return { negative, coefficient: 0n, exponent: Number((high >> 47n) & 0x3fffn) - BIAS };
  const coefficient = ((high & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(0);
  const exponent = Number((high >> 49n) & 0x3fffn) - BIAS;
  return { negative, coefficient: coefficient < LIMIT ? coefficient : 0n, exponent };
}

/** The nearest decimal128: 34 digits, ties to even; too large becomes infinite, too small a subnormal or zero. */
export function toDecimal128(value: Decimal): Decimal128 {
  const bytes = Buffer.alloc(16);
  const sign = value.negative ? 1n << 63n : 0n;
  if (value.special) {
    bytes.writeBigUInt64LE(value.special === 'nan' ? 0x1fn << 58n : sign | (0x1en << 58n), 8);
    return new Decimal128(bytes);
  }
  const { coefficient, exponent } = fit(value);
  if (exponent > MAX_EXPONENT) return toDecimal128(infinity(value.negative));
  bytes.writeBigUInt64LE(coefficient & 0xffffffffffffffffn, 0);
  bytes.writeBigUInt64LE(sign | (BigInt(exponent + BIAS) << 49n) | (coefficient >> 64n), 8);
  return new Decimal128(bytes);
}

function fit(value: Decimal): { coefficient: bigint; exponent: number } {
  let { coefficient, exponent } = value;
  const excess = Math.max(digits(coefficient) - DIGITS, -BIAS - exponent, 0);
  if (excess > 0) {
    coefficient = roundedQuotient(coefficient, 10n ** BigInt(Math.min(excess, 7000)));
    exponent += excess;
    if (coefficient === LIMIT) {
      coefficient /= 10n;
      exponent += 1;
    }
  }
  // A large exponent may still fit with trailing zeros in the coefficient.
  while (exponent > MAX_EXPONENT && coefficient * 10n < LIMIT && coefficient !== 0n) {
    coefficient *= 10n;
    exponent -= 1;
  }
  return { coefficient, exponent: coefficient === 0n ? Math.min(exponent, MAX_EXPONENT) : exponent };
}

function digits(coefficient: bigint): number {
  return coefficient === 0n ? 1 : coefficient.toString().length;
}

/** a / b for non-negative integers, ties to even. */
function roundedQuotient(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  const twice = (a % b) * 2n;
  return twice > b || (twice === b && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

export function fromBigInt(value: bigint): Decimal {
  return { negative: value < 0n, coefficient: value < 0n ? -value : value, exponent: 0 };
}

const view = new DataView(new ArrayBuffer(8));

/** The exact value of a double (some take up to 767 digits), or rounded to 34 digits as comparisons of the server do. */
export function fromDouble(value: number): Decimal {
  if (Number.isNaN(value)) return NAN;
  if (!Number.isFinite(value)) return infinity(value < 0);
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const raw = Number((bits >> 52n) & 0x7ffn);
  let mantissa = bits & 0xfffffffffffffn;
  if (raw !== 0) mantissa |= 1n << 52n;
  const power = (raw === 0 ? 1 : raw) - 1075;
  const negative = bits >> 63n === 1n;
  if (power >= 0) return { negative, coefficient: mantissa << BigInt(power), exponent: 0 };
  return trimmed({ negative, coefficient: mantissa * 5n ** BigInt(-power), exponent: power });
}

function trimmed(value: Decimal): Decimal {
  let { coefficient, exponent } = value;
  while (exponent < 0 && coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return { ...value, coefficient, exponent: coefficient === 0n ? 0 : exponent };
}

/** A double as decimal128 with 15 significant digits, which is how the server converts (`$toDecimal`, `$add`). */
export function fromDoubleShort(value: number): Decimal {
  if (!Number.isFinite(value)) return fromDouble(value);
  const [mantissa = '0', exponent = '0'] = value.toExponential(14).split('e');
  const negative = mantissa.startsWith('-');
  const plain = mantissa.replace('-', '').replace('.', '');
  return trimmedTo({ negative, coefficient: BigInt(plain), exponent: Number(exponent) - 14 }, value);
}

function trimmedTo(value: Decimal, original: number): Decimal {
  // Integers keep an exponent of zero: 5.0 becomes 5.00000000000000 in the server, which prints all 15 digits.
  return original === 0 ? { negative: Object.is(original, -0), coefficient: 0n, exponent: 0 } : value;
}

/** Orders two decimals; NaN is below everything and equal to itself. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (a.special === 'nan' || b.special === 'nan') return Number(b.special === 'nan') - Number(a.special === 'nan');
  const signA = signOf(a);
  const signB = signOf(b);
  if (signA !== signB) return signA - signB;
  return signA === 0 ? 0 : signA * compareMagnitudes(a, b);
}

function signOf(value: Decimal): number {
  if (value.coefficient === 0n && !value.special) return 0;
  return value.negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.special ?? b.special) return Number(Boolean(a.special)) - Number(Boolean(b.special));
  const scale = digits(a.coefficient) + a.exponent - (digits(b.coefficient) + b.exponent);
  if (scale !== 0) return Math.sign(scale);
  const shift = a.exponent - b.exponent;
  const left = shift > 0 ? a.coefficient * 10n ** BigInt(shift) : a.coefficient;
  const right = shift < 0 ? b.coefficient * 10n ** BigInt(-shift) : b.coefficient;
  return left < right ? -1 : left > right ? 1 : 0;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.special ?? b.special) {
    if (a.special === 'nan' || b.special === 'nan') return NAN;
    if (a.special && b.special) return a.negative === b.negative ? a : NAN;
    return a.special ? a : b;
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = signed(a, exponent) + signed(b, exponent);
  return { negative: sum < 0n, coefficient: sum < 0n ? -sum : sum, exponent };
}

function signed(value: Decimal, exponent: number): bigint {
  const scaled = value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return value.negative ? -scaled : scaled;
}

export function negateDecimal(value: Decimal): Decimal {
  return { ...value, negative: !value.negative };
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.special ?? b.special) {
    const undefinedProduct = a.special === 'nan' || b.special === 'nan' || signOf(a) === 0 || signOf(b) === 0;
    return undefinedProduct ? NAN : infinity(negative);
  }
  return { negative, coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** a / b; the caller has refused division by zero. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.special === 'nan' || b.special === 'nan' || (a.special && b.special)) return NAN;
  if (a.special) return infinity(negative);
  if (b.special) return { negative, coefficient: 0n, exponent: -BIAS };
  const shift = Math.max(0, DIGITS + 2 + digits(b.coefficient) - digits(a.coefficient));
  const scaled = a.coefficient * 10n ** BigInt(shift);
  const exact = scaled % b.coefficient === 0n;
  // One sticky digit keeps the later rounding to 34 digits right.
  const coefficient = exact ? scaled / b.coefficient : (scaled / b.coefficient) * 10n + 1n;
  const exponent = a.exponent - b.exponent - shift - (exact ? 0 : 1);
  return preferred({ negative, coefficient, exponent }, a.exponent - b.exponent);
}

/** Drops trailing zeros down to the exponent that the operation prefers. */
function preferred(value: Decimal, exponent: number): Decimal {
  let { coefficient } = value;
  let held = value.exponent;
  while (held < exponent && coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    held += 1;
  }
  return { ...value, coefficient, exponent: coefficient === 0n ? exponent : held };
}

/** The remainder with the sign of the dividend. */
export function remainderOfDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.special || b.special === 'nan' || signOf(b) === 0) return NAN;
  if (b.special) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const remainder = signed({ ...a, negative: false }, exponent) % signed({ ...b, negative: false }, exponent);
  return { negative: a.negative, coefficient: remainder, exponent };
}

/** Rounds to `places` digits after the point (negative: before it), by the given way. */
export function roundDecimal(value: Decimal, places: number, way: 'even' | 'truncate' | 'floor' | 'ceil'): Decimal {
  if (value.special || value.exponent >= -places) return value;
  const unit = 10n ** BigInt(-places - value.exponent);
  let coefficient = way === 'even' ? roundedQuotient(value.coefficient, unit) : value.coefficient / unit;
  const away = (way === 'floor' && value.negative) || (way === 'ceil' && !value.negative);
  if (away && value.coefficient % unit !== 0n) coefficient += 1n;
  return { negative: value.negative, coefficient, exponent: -places };
}
