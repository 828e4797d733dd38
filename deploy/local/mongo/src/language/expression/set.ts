import { compareValues } from '../compare.js';
import { fail } from '../errors.js';
import { encodeValue } from '../key.js';
import { isTrue } from '../truth.js';
import { typeName } from '../values.js';
import { isNullish, type OperatorTable, takes, unary, variadic } from './args.js';

/** Values by what they equal: 1 and 1.0 are one element. */
type ValueSet = Map<string, unknown>;

const setOf = (values: unknown[]): ValueSet => new Map(values.toReversed().map((value) => [encodeValue(value), value]));

function arrays(values: unknown[], name: string, code: number): unknown[][] {
  return values.map((value) =>
    Array.isArray(value)
      ? (value as unknown[])
      : fail(code, `All operands of ${name} must be arrays. One argument is of type: ${typeName(value)}`),
  );
}

const sorted = (set: ValueSet): unknown[] => [...set.values()].sort(compareValues);

function equalSets(values: unknown[], name: string): boolean {
  if (values.length < 2) fail(17045, `${name} needs at least two arguments had: ${values.length}`);
  const [first, ...others] = arrays(values, name, 17044).map(setOf) as [ValueSet, ...ValueSet[]];
  return others.every((other) => other.size === first.size && [...other.keys()].every((key) => first.has(key)));
}

function intersection(values: unknown[], name: string): unknown {
  if (values.some(isNullish)) return null;
  const [first, ...others] = arrays(values, name, 17047).map(setOf);
  if (!first) return [];
  return sorted(new Map([...first].filter(([key]) => others.every((other) => other.has(key)))));
}

function union(values: unknown[], name: string): unknown {
  if (values.some(isNullish)) return null;
  return sorted(setOf(arrays(values, name, 17043).flat()));
}

function difference([a, b]: unknown[], name: string): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  const [left, right] = arrays([a, b], name, 17048) as [unknown[], unknown[]];
  const seen = setOf(right);
  return left.filter((value) => {
    const key = encodeValue(value);
    if (seen.has(key)) return false;
    seen.set(key, value);
    return true;
  });
}

function isSubset(values: unknown[], name: string): boolean {
  const [left, right] = arrays(values, name, 17046).map(setOf) as [ValueSet, ValueSet];
  return [...left.keys()].every((key) => right.has(key));
}

function elements(value: unknown, name: string, code: number): unknown[] {
  return Array.isArray(value)
    ? (value as unknown[])
    : fail(code, `${name}'s argument must be an array, but is ${typeName(value)}`);
}

export const SETS: OperatorTable = {
  $setEquals: variadic(equalSets),
  $setIntersection: variadic(intersection),
  $setUnion: variadic(union),
  $setDifference: takes(2, 2, difference),
  $setIsSubset: takes(2, 2, isSubset),
  $allElementsTrue: unary((value, name) => elements(value, name, 17040).every(isTrue)),
  $anyElementTrue: unary((value, name) => elements(value, name, 17041).some(isTrue)),
};
