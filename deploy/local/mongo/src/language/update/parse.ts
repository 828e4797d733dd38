import { fail, refuse, show } from '../errors.js';
import { arrayIndex } from '../path.js';
import { type Document, isDocument, typeName } from '../values.js';
import { identifierIn } from './array-filters.js';
import { type Modifier, MODIFIERS } from './modifier.js';

/** What an update does at one path. */
export interface Change {
  path: string;
  parts: string[];
  modifier: Modifier;
}

/**
 * Reads `{ $set: {…}, $inc: {…} }` into changes, in the order in which the server applies them. Operators that are not in the
 * table are refused; paths of which one contains the other are error 40.
 */
export function parseOperators(update: Document): Change[] {
  const given = Object.keys(update).flatMap((name) => {
    const fields = update[name];
    if (!Object.hasOwn(MODIFIERS, name)) refuse(`the update operator ${name}`);
    if (!isDocument(fields))
      return fail('FailedToParse', `Modifiers operate on fields but we found type ${typeName(fields)} instead: {${name}: ${show(fields)}}`); // prettier-ignore
    return Object.keys(fields).map((path): Change => {
      const modifier = MODIFIERS[name]!(fields[path], path);
      return { path, parts: checkedParts(path), modifier };
    });
  });
  const changes = given.toSorted((a, b) => comparePaths(a.parts, b.parts));
  changes.slice(1).forEach((change, i) => checkConflict(given, changes[i]!, change));
  checkFiltered(changes.filter(({ parts }) => parts.some(identifierIn)));
  return changes;
}

function checkedParts(path: string): string[] {
  const parts = path.split('.');
  parts.forEach((part, i) => {
    if (part === '')
      fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (!part.startsWith('$')) return;
    if (part === '$' || part === '$[]') refuse(`the positional operator ${part}`);
    if (!identifierIn(part))
      fail('DollarPrefixedFieldName', `The dollar ($) prefixed field '${part}' in '${path}' is not allowed.`);
    if (i === 0) fail('BadValue', `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  });
  return parts;
}

/** Numbers by value, names by their bytes. */
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

/** In their order, paths that conflict have two neighbours that do. */
function checkConflict(given: readonly Change[], a: Change, b: Change): void {
  const i = firstDifference(a.parts, b.parts);
  const [x, y] = [a.parts[i], b.parts[i]];
  if (x !== undefined && y !== undefined && !identifierIn(x) === !identifierIn(y)) return;
  const { path } = given.indexOf(a) > given.indexOf(b) ? a : b;
  const at = a.parts.slice(0, i).join('.');
  fail('ConflictingUpdateOperators', `Updating the path '${path}' would create a conflict at '${at}'`);
}

/** Two filters may match one element. */
function checkFiltered(changes: readonly Change[]): void {
  const paths = changes.map(({ parts }) => parts.map((part) => (identifierIn(part) ? '$[]' : part)));
  paths.forEach((a, i) => {
    const overlaps = paths.slice(i + 1).some((b) => firstDifference(a, b) === Math.min(a.length, b.length));
    if (overlaps) refuse('an update of one field by two array filters');
  });
}
