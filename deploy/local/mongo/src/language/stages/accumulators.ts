import { compareValues } from '../compare.js';
import { fail } from '../errors.js';
import { encodeValue } from '../key.js';
import { add as addNumbers, decimal128, divide, integer, isInteger } from '../numeric.js';
import { double, isDecimal, isDocument, isNumeric, newDocument, type Numeric, toNumber, typeName } from '../values.js';

/** Gathers values into one. Values come in the order of the documents; `undefined` is a missing field. */
export interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

/** Adds numbers exactly while they are integers, with compensation while they are doubles (as the server does). */
class Total {
  private integers = 0n;
  private doubles = 0;
  private compensation = 0;
  private decimals: Numeric | undefined;
  private kind: 'int' | 'long' | 'double' = 'int';

  add(value: Numeric): void {
    if (isDecimal(value)) this.decimals = addNumbers(this.decimals ?? value, this.decimals ? value : 0);
    else if (isInteger(value)) {
      this.integers += BigInt(value as number | bigint);
      if (typeof value === 'bigint' && this.kind === 'int') this.kind = 'long';
    } else {
      this.kind = 'double';
      this.addDouble(toNumber(value));
    }
  }

  private addDouble(value: number): void {
    const sum = this.doubles + value;
    if (Number.isFinite(sum)) {
      this.compensation +=
        Math.abs(this.doubles) >= Math.abs(value) ? this.doubles - sum + value : value - sum + this.doubles;
    }
    this.doubles = sum;
  }

  sum(): Numeric {
    const plain =
      this.kind === 'double'
        ? double(this.asDouble())
        : (integer(this.integers, this.kind === 'long') ?? double(Number(this.integers)));
    return this.decimals === undefined ? plain : addNumbers(this.decimals, plain)!;
  }

  private asDouble(): number {
    const rest = new Total();
    rest.doubles = this.doubles;
    rest.compensation = this.compensation;
    if (this.integers !== 0n) rest.addDouble(Number(this.integers));
    return Number.isFinite(rest.doubles) ? rest.doubles + rest.compensation : rest.doubles;
  }

  average(count: number): Numeric {
    const sum = this.sum();
    return isDecimal(sum) ? divide(sum, decimal128(count)) : double(toNumber(sum) / count);
  }
}

function sum(): Accumulator {
  const total = new Total();
  return { add: (value) => isNumeric(value) && total.add(value), result: () => total.sum() };
}

function average(): Accumulator {
  const total = new Total();
  let count = 0;
  return {
    add(value) {
      if (!isNumeric(value)) return;
      count += 1;
      total.add(value);
    },
    result: () => (count === 0 ? null : total.average(count)),
  };
}

const extreme = (sign: 1 | -1) => (): Accumulator => {
  let best: unknown;
  return {
    add(value) {
      if (value === null || value === undefined) return;
      if (best === undefined || compareValues(value, best) * sign > 0) best = value;
    },
    result: () => best ?? null,
  };
};

function first(): Accumulator {
  let value: unknown;
  let found = false;
  return {
    add(next) {
      if (!found) value = next;
      found = true;
    },
    result: () => value ?? null,
  };
}

function last(): Accumulator {
  let value: unknown;
  return { add: (next) => (value = next), result: () => value ?? null };
}

function push(): Accumulator {
  const values: unknown[] = [];
  return { add: (value) => value !== undefined && values.push(value), result: () => values };
}

function addToSet(): Accumulator {
  const values = new Map<string, unknown>();
  return {
    add(value) {
      if (value === undefined) return;
      const key = encodeValue(value);
      if (!values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
}

function count(): Accumulator {
  let n = 0;
  return { add: () => (n += 1), result: () => n };
}

/** Welford's way, as the server computes it. */
const deviation = (sample: boolean) => (): Accumulator => {
  let n = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      if (!isNumeric(value)) return;
      n += 1;
      const delta = toNumber(value) - mean;
      mean += delta / n;
      squares += delta * (toNumber(value) - mean);
    },
    result: () => (n - (sample ? 1 : 0) <= 0 ? null : double(Math.sqrt(squares / (n - (sample ? 1 : 0))))),
  };
};

function mergeObjects(): Accumulator {
  const result = newDocument();
  return {
    add(value) {
      if (value === null || value === undefined) return;
      if (!isDocument(value))
        fail(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`);
      Object.assign(result, value);
    },
    result: () => result,
  };
}

const MAKERS: Record<string, () => Accumulator> = {
  $sum: sum,
  $avg: average,
  $min: extreme(-1),
  $max: extreme(1),
  $first: first,
  $last: last,
  $push: push,
  $addToSet: addToSet,
  $count: count,
  $stdDevPop: deviation(false),
  $stdDevSamp: deviation(true),
  $mergeObjects: mergeObjects,
};

export const isAccumulator = (name: string): boolean => Object.hasOwn(MAKERS, name);

export function makeAccumulator(name: string): Accumulator {
  return MAKERS[name]!();
}
