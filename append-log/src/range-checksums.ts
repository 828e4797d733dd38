/** Number of bytes between stored prefix checksums. */
const STEP_BYTES = 64;

/**
 * Computes the CRC-32 of any range of a buffer in nearly constant time. The search for intact records in a damaged file
 * needs the checksum of a different range for every byte.
 */
export class RangeChecksums {
  /** Element `n` is the checksum of the first `n * STEP_BYTES` bytes. */
  readonly #prefixes: Uint32Array;

  constructor(private readonly bytes: Buffer) {
    this.#prefixes = new Uint32Array(Math.floor(bytes.length / STEP_BYTES) + 1);
    for (let n = 1; n < this.#prefixes.length; n++)
      this.#prefixes[n] = crc(bytes, (n - 1) * STEP_BYTES, n * STEP_BYTES, this.#prefixes[n - 1]!);
  }

  /** Returns the CRC-32 of the bytes from `start` to `end`, continued from `initial` as crc32 of node:zlib does. */
  of(start: number, end: number, initial: number): number {
    const before = (initial ^ this.#prefix(start)) >>> 0;
    return (multiply(powerOfX(8 * (end - start)), before) ^ this.#prefix(end)) >>> 0;
  }

  #prefix(end: number): number {
    const n = Math.floor(end / STEP_BYTES);
    return crc(this.bytes, n * STEP_BYTES, end, this.#prefixes[n]!);
  }
}

// CRC-32 is polynomial arithmetic modulo this polynomial, with bits reflected: the highest bit is the coefficient of
// x^0.
const polynomial = 0xedb88320;
const one = 0x80000000;
const timesX = (a: number): number => (a & 1 ? (a >>> 1) ^ polynomial : a >>> 1);

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = timesX(value);
  return value;
});

function crc(bytes: Buffer, start: number, end: number, initial: number): number {
  let value = ~initial;
  for (let at = start; at < end; at++) value = (value >>> 8) ^ table[(value ^ bytes[at]!) & 0xff]!;
  return ~value >>> 0;
}

/** Returns the product of two polynomials, like `multmodp` of zlib's crc32.c. */
function multiply(a: number, b: number): number {
  let product = 0;
  let [left, factor] = [a, b];
  for (let bit = one; left !== 0; bit >>>= 1) {
    if (left & bit) {
      product ^= factor;
      left ^= bit;
    }
    factor = timesX(factor);
  }
  return product >>> 0;
}

/** Element `n` is x^(2^n). */
const squares: number[] = [one >>> 1];
while (squares.length < 40) squares.push(multiply(squares.at(-1)!, squares.at(-1)!));

function powerOfX(exponent: number): number {
  let power = one;
  for (let n = 0, rest = exponent; rest > 0; n++, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) power = multiply(squares[n]!, power);
  return power;
}
