import { fail } from '../errors.js';
import { compileFilter } from '../filter.js';
import { isOperators } from '../filter/operators.js';
import { copyDocument, type Document, documentOf, isDocument, isNumeric, toNumber } from '../values.js';

/** `{ $slice: n }` or `{ $slice: [skip, n] }` with numbers, as opposed to the expression of the same name. */
export function readSlice(value: unknown): ((array: unknown[]) => unknown[]) | undefined {
  if (!isDocument(value) || !('$slice' in value)) return undefined;
  const slice = value.$slice;
  if (isNumeric(slice)) return slicer(toNumber(slice));
  if (!Array.isArray(slice))
    return fail(
      28667,
      'Invalid $slice syntax. The given syntax did not match the find() syntax or the expression syntax',
    );
  if (!slice.every(isNumeric)) return undefined;
  if (slice.length !== 2) fail(28667, 'Invalid $slice syntax: an array of two numbers is expected');
  const [skip, limit] = slice.map(toNumber) as [number, number];
  if (limit <= 0) fail(28724, 'First argument to $slice must be an array, but is of type: int');
  return (array) => {
    const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
    return array.slice(start, start + limit);
  };
}

function slicer(count: number): (array: unknown[]) => unknown[] {
  const n = Math.trunc(count);
  if (n >= 0) return (array) => array.slice(0, n);
  return (array) => array.slice(n);
}

/** Changes the arrays that a path leads to, through documents and arrays of documents. */
export function mapArrays(
  document: Document,
  parts: readonly string[],
  change: (array: unknown[]) => unknown[],
): Document {
  const [name, ...rest] = parts as [string, ...string[]];
  const value = document[name];
  const changed = rest.length === 0 ? (Array.isArray(value) ? change(value) : value) : mapInside(value, rest, change);
  if (changed === value) return document;
  const copy = copyDocument(document);
  copy[name] = changed;
  return copy;
}

function mapInside(value: unknown, rest: readonly string[], change: (array: unknown[]) => unknown[]): unknown {
  if (isDocument(value)) return mapArrays(value, rest, change);
  return Array.isArray(value)
    ? (value as unknown[]).map((element) => (isDocument(element) ? mapArrays(element, rest, change) : element))
    : value;
}

/** `{ $elemMatch }` of a projection: the array with its first matching element; undefined if none matches. */
export function readElemMatch(path: string, value: unknown): ((value: unknown) => unknown) | undefined {
  if (!isDocument(value) || !('$elemMatch' in value)) return undefined;
  if (path.includes('.')) fail(31275, 'Cannot use $elemMatch projection on a nested field');
  const condition = value.$elemMatch;
  if (!isDocument(condition))
    return fail(31274, `elemMatch: Invalid argument, object required, but got ${String(condition)}`);
  const inside = isOperators(condition);
  const { matches } = compileFilter(inside ? documentOf({ array: documentOf({ $elemMatch: condition }) }) : condition);
  const test = (element: unknown): boolean =>
    inside ? matches(documentOf({ array: [element] })) : isDocument(element) && matches(element);
  return (array) => {
    const found: unknown = Array.isArray(array) ? (array as unknown[]).find(test) : undefined;
    return found === undefined ? undefined : [found];
  };
}
