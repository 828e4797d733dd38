// A simple model of a collection: an array of documents with naive filters and updates. It shares no code with the
// engine, and so none of the engine's defects. It supports the operators that the generators use.

import { BAD_VALUE, PATH_NOT_VIABLE, TYPE_MISMATCH } from './error-codes.test.fixtures.js';

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Fields = { [key: string]: Value };
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- like the driver's Filter, it accepts any condition
export type Filter = Record<string, any>;
type Found = Value | undefined;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const RANKS = ['null', 'number', 'string', 'object', 'array', 'boolean'];
const TYPES = ['null', 'number', 'string', 'object', 'array', 'bool'];

function rank(value: Found): number {
  if (value === null || value === undefined) return 0;
  return RANKS.indexOf(Array.isArray(value) ? 'array' : typeof value);
}

/** Compares values of all types. */
export function order(a: Found, b: Found): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (Array.isArray(a) && Array.isArray(b)) return orderLists(a, b, order);
  if (isObject(a) && isObject(b)) return orderLists(Object.entries(a), Object.entries(b), orderFields);
  if (a === b || rank(a) === 0) return 0;
  return a! < b! ? -1 : 1;
}

function orderLists<T>(a: T[], b: T[], each: (x: T, y: T) => number): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const result = each(a[i]!, b[i]!);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

function orderFields([k, x]: [string, Value], [l, y]: [string, Value]): number {
  return rank(x) - rank(y) || (k < l ? -1 : k > l ? 1 : order(x, y));
}

/** Returns the value at a path that leads through no array; `undefined` if it is missing. */
const valueAt = (document: Fields, path: string): Found =>
  path.split('.').reduce<Found>((value, name) => (isObject(value) ? value[name] : undefined), document);

/** Returns the values that an operator tests: the value at the path and, if it is an array, its elements. */
function candidates(document: Fields, path: string): Found[] {
  const value = valueAt(document, path);
  return Array.isArray(value) ? [...value, value] : [value];
}

const TESTS: Record<string, (value: Found, operand: never) => boolean> = {
  $eq: (value, operand: Value) => order(value, operand) === 0,
  $gt: (value, operand: Value) => rank(value) === rank(operand) && order(value, operand) > 0,
  $gte: (value, operand: Value) => rank(value) === rank(operand) && order(value, operand) >= 0,
  $lt: (value, operand: Value) => rank(value) === rank(operand) && order(value, operand) < 0,
  $lte: (value, operand: Value) => rank(value) === rank(operand) && order(value, operand) <= 0,
  $in: (value, operand: Value[]) => operand.some((each) => order(value, each) === 0),
  $exists: (value, operand: boolean) => (value !== undefined) === operand,
  $regex: (value, operand: string) => typeof value === 'string' && value.startsWith(operand.slice(1)),
  $type: (value, operand: string) => value !== undefined && TYPES[rank(value)] === operand,
};

function satisfies(document: Fields, path: string, operator: string, operand: unknown): boolean {
  const all = candidates(document, path);
  switch (operator) {
    case '$ne':
      return !satisfies(document, path, '$eq', operand);
    case '$nin':
      return !satisfies(document, path, '$in', operand);
    case '$exists':
      return all.some((value) => value !== undefined) === operand;
    case '$all':
      return (
        (operand as Value[]).length > 0 && (operand as Value[]).every((each) => satisfies(document, path, '$eq', each))
      );
    default:
      return all.some((value) => TESTS[operator]!(value, operand as never));
  }
}

const satisfiesAll = (document: Fields, path: string, operators: Filter): boolean =>
  Object.entries(operators).every(([operator, operand]) => satisfies(document, path, operator, operand));

export function matches(document: Fields, filter: Filter): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$and') return (value as Filter[]).every((branch) => matches(document, branch));
    if (key === '$or') return (value as Filter[]).some((branch) => matches(document, branch));
    const isOperators = isObject(value) && Object.keys(value)[0]?.startsWith('$');
    return isOperators ? satisfiesAll(document, key, value) : satisfies(document, key, '$eq', value);
  });
}

/** The index entry of an empty array, which differs from the entry of every value. */
const EMPTY = Symbol('empty');
type Indexed = Value | typeof EMPTY;

/** Returns the values that an index has for a path. For a missing field, these are `missing`. */
function indexed(document: Fields, path: string, missing: Indexed[]): Indexed[] {
  const value = valueAt(document, path);
  if (Array.isArray(value)) return value.length > 0 ? value : [EMPTY];
  return value === undefined ? missing : [value];
}

export type Sort = Record<string, 1 | -1>;

export function sorted(documents: Fields[], sort: Sort): Fields[] {
  return documents.toSorted((a, b) => {
    for (const [path, direction] of Object.entries(sort)) {
      const result = direction * order(valueAt(a, path), valueAt(b, path));
      if (result !== 0) return result;
    }
    return 0;
  });
}

/** An update of the model: one operator on one path. */
export interface Change {
  operator: string;
  path: string;
  value: Value;
}

/** Returns the changed document, or the expected error code. */
export function changed(document: Fields, { operator, path, value }: Change): Fields | number {
  const copy = structuredClone(document);
  const [name, inner] = path.split('.') as [string, string?];
  if (inner === undefined) return put(copy, copy, name, operator, value);
  const holder = copy[name];
  if (isObject(holder)) return put(copy, holder, inner, operator, value);
  if (operator === '$unset' || operator === '$pull') return copy;
  if (holder !== undefined) return PATH_NOT_VIABLE;
  return put(copy, (copy[name] = {}), inner, operator, value);
}

function put(document: Fields, holder: Fields, name: string, operator: string, operand: Value): Fields | number {
  const next = CHANGES[operator]!(holder[name], operand);
  if (typeof next === 'object' && next !== null && 'code' in next) return next.code as number;
  if (next === undefined) delete holder[name];
  else holder[name] = next;
  return document;
}

const error = (code: number): Value => ({ code });
const same = (a: Value, b: Value): boolean => order(a, b) === 0;

const CHANGES: Record<string, (value: Found, operand: Value) => Found> = {
  $set: (_value, operand) => operand,
  $unset: () => undefined,
  $inc: (value, operand) =>
    value === undefined ? operand : typeof value === 'number' ? value + (operand as number) : error(TYPE_MISMATCH),
  $max: (value, operand) => (value === undefined || order(operand, value) > 0 ? operand : value),
  $min: (value, operand) => (value === undefined || order(operand, value) < 0 ? operand : value),
  $push: (value, operand) =>
    value === undefined ? [operand] : Array.isArray(value) ? [...value, operand] : error(BAD_VALUE),
  $pull: (value, operand) => {
    if (value === undefined) return undefined;
    return Array.isArray(value) ? value.filter((each) => !same(each, operand)) : error(BAD_VALUE);
  },
};

export interface UniqueIndex {
  key: Sort;
  sparse?: boolean;
  partialFilterExpression?: Filter;
}

/**
 * Returns the keys that an index has for a document, as text. Equal keys have equal text. A sparse index has no keys
 * for a document without the field.
 */
export function keysOf(document: Fields, { key, sparse, partialFilterExpression }: UniqueIndex): string[] {
  if (partialFilterExpression && !matches(document, partialFilterExpression)) return [];
  const text = (value: Indexed): string => (value === EMPTY ? 'empty' : JSON.stringify(value));
  return Object.keys(key).reduce<string[]>(
    (keys, path) => {
      const values = indexed(document, path, sparse ? [] : [null]).map(text);
      return keys.flatMap((start) => values.map((value) => `${start}|${value}`));
    },
    [''],
  );
}

/** Returns whether a document would violate a unique index. */
export function clashes(document: Fields, others: Fields[], indexes: UniqueIndex[]): boolean {
  return indexes.some((index) => {
    const own = new Set(keysOf(document, index));
    return others.some((other) => keysOf(other, index).some((key) => own.has(key)));
  });
}

/** Returns the fast-check options for a number of random cases, which MODEL_RUNS overrides. */
export const runs = (count: number): { numRuns: number } => ({ numRuns: Number(process.env['MODEL_RUNS'] ?? count) });

/** Generous timeout for busy machines. */
export const TIMEOUT_MS = Math.max(180_000, Number(process.env['MODEL_RUNS'] ?? 0) * 200);
