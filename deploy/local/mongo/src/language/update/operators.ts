import { fail, refuse, show } from '../errors.js';
import { arrayIndex } from '../path.js';
import { type Document, isDocument, newDocument, typeName, withField } from '../values.js';
import { type Modifier, MODIFIERS } from './modifier.js';

interface Change {
  path: string;
  parts: string[];
  modifier: Modifier;
}

/** How far beyond its end an array may be extended with nulls in one step. */
const MAX_PADDING = 1_500_000;

/**
 * Compiles `{ $set: {…}, $inc: {…} }` into changes, in the order in which the server applies them. Operators that are not in the
 * table are refused. Throws ConflictingUpdateOperators if one path contains another.
 */
export function parseOperators(update: Document): Change[] {
  const given = Object.keys(update).flatMap((name) => {
    const fields = update[name];
    if (!Object.hasOwn(MODIFIERS, name)) refuse(`the update operator ${name}`);
    if (!isDocument(fields))
      return fail(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} instead: ${name}`,
      );
    return Object.keys(fields).map((path): Change => {
      const modifier = MODIFIERS[name]!(fields[path], path);
      return { path, parts: checkedParts(path), modifier };
    });
  });
  const changes = given.toSorted((a, b) => comparePaths(a.parts, b.parts));
  changes.slice(1).forEach((change, i) => checkConflict(given, changes[i]!, change));
  return changes;
}

function checkedParts(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '')
      fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (part === '$' || part.startsWith('$[')) refuse(`the positional operator ${part}`);
    if (part.startsWith('$'))
      fail('DollarPrefixedFieldName', `The dollar ($) prefixed field '${part}' in '${path}' is not allowed.`);
  }
  return parts;
}

/** Orders numbers by value, names by their bytes. */
function comparePaths(a: readonly string[], b: readonly string[]): number {
  const i = firstDifference(a, b);
  if (i === Math.min(a.length, b.length)) return a.length - b.length;
  const [x, y] = [arrayIndex(a[i]!), arrayIndex(b[i]!)];
  if (x >= 0 && y >= 0) return x - y;
  return a[i]! < b[i]! ? -1 : 1;
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  return i;
}

/** If any paths conflict, two neighbours in their order do. */
function checkConflict(given: readonly Change[], a: Change, b: Change): void {
  if (firstDifference(a.parts, b.parts) < a.parts.length) return;
  const { path } = given.indexOf(a) > given.indexOf(b) ? a : b;
  fail('ConflictingUpdateOperators', `Updating the path '${path}' would create a conflict at '${a.path}'`);
}

/** Returns the document after the changes, or the same object if nothing changed. */
export function applyChanges(changes: readonly Change[], document: Document, insert: boolean): Document {
  const applied = changes.filter(({ modifier }) => insert || !modifier.insertOnly);
  return applied.reduce((result, change) => applyAt(change, 0, result, document) as Document, document);
}

/** Returns what the value at the first `depth` parts of the path becomes. `document` is the one before the update. */
function applyAt(change: Change, depth: number, value: unknown, document: Document): unknown {
  const { path, parts, modifier } = change;
  const part = parts[depth];
  if (part === undefined) return modifier.apply(value, { document, path });
  const next = (child: unknown): unknown => applyAt(change, depth + 1, child, document);
  if (isDocument(value)) return withChange(value, part, next);
  const index = Array.isArray(value) ? arrayIndex(part) : -1;
  if (index >= 0) return withElement(value as unknown[], index, next);
  if (!modifier.creates) return value;
  if (value !== undefined)
    fail('PathNotViable', `Cannot create field '${part}' in element {${parts[depth - 1] ?? ''}: ${show(value)}}`);
  return withChange(newDocument(), part, next);
}

type Next = (value: unknown) => unknown;

function withChange(document: Document, name: string, next: Next): Document {
  const after = next(document[name]);
  return Object.is(after, document[name]) ? document : withField(document, name, after);
}

function withElement(array: unknown[], index: number, next: Next): unknown[] {
  const after = next(array[index]);
  if (Object.is(after, array[index])) return array;
  if (index > array.length + MAX_PADDING) fail('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
  const copy = [...array];
  while (copy.length < index) copy.push(null);
  // $unset replaces an element by null.
  copy[index] = after === undefined ? null : after;
  return copy;
}
