import { fail, unsupported, show } from '../errors.js';
import { pathParts, refuseArray } from '../path.js';
import { type Document, isDocument, newDocument, typeName, withField } from '../values.js';
import { type Modifier, MODIFIERS } from './modifier.js';

interface Change {
  path: string;
  parts: string[];
  /** Sort key that places a path directly before the paths below it: `a`, `a.b`, `a.c`. */
  key: string;
  modifier: Modifier;
}

/**
 * Compiles `{ $set: {...}, $inc: {...} }` into changes, in the order of their paths. Throws CommandNotSupported for an
 * operator that is not in MODIFIERS.
 */
export function parseOperators(update: Document): Change[] {
  const given = Object.keys(update).flatMap((name) => {
    const fields = update[name];
    if (!Object.hasOwn(MODIFIERS, name)) unsupported(`the update operator ${name}`);
    if (!isDocument(fields))
      return fail('FailedToParse', `${name} needs a document of fields, not type ${typeName(fields)}`);
    return Object.keys(fields).map((path): Change => {
      const parts = pathParts(path);
      return { path, parts, key: `${parts.join('\0')}\0`, modifier: MODIFIERS[name]!(fields[path], path) };
    });
  });
  const changes = given.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  changes.slice(1).forEach((change, i) => checkConflict(changes[i]!, change));
  return changes;
}

function checkConflict(a: Change, b: Change): void {
  if (b.key.startsWith(a.key))
    fail('ConflictingUpdateOperators', `Updating the path '${b.path}' would create a conflict at '${a.path}'`);
}

/** Returns the document after the changes, or the same object if nothing changed. */
export function applyChanges(changes: readonly Change[], document: Document, insert: boolean): Document {
  const applied = changes.filter(({ modifier }) => insert || !modifier.insertOnly);
  return applied.reduce((result, change) => applyAt(change, 0, result, document) as Document, document);
}

/**
 * Applies a change to `value`, which is at the first `depth` parts of the path. Returns the new value. `document` is
 * the document before the update.
 */
function applyAt(change: Change, depth: number, value: unknown, document: Document): unknown {
  const { path, parts, modifier } = change;
  const part = parts[depth];
  if (part === undefined) return modifier.apply(value, { document, path });
  if (Array.isArray(value)) refuseArray(parts);
  if (!isDocument(value) && !modifier.creates) return value;
  const parent = isDocument(value) ? value : newDocument();
  if (value !== undefined && value !== parent)
    fail('PathNotViable', `Cannot create field '${part}' in element {${parts[depth - 1] ?? ''}: ${show(value)}}`);
  const after = applyAt(change, depth + 1, parent[part], document);
  return Object.is(after, parent[part]) ? parent : withField(parent, part, after);
}
