import { equalValues } from '../language/compare.js';
import { fail, refuse } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
import { isNumeric, toNumber, typeName, type Document } from '../language/values.js';
import type { IndexSpec } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { Blocked } from '../storage/conflicts.js';
import type { Context } from './context.js';
import { checkKeys, documentField, flag, optionalDocument, optionalNumber, text } from './fields.js';

/** Throws Blocked while another transaction uses the collection, or an index of it is being built. */
export function checkUnused({ transaction }: Context, { users, building }: Collection): void {
  const user = [...users].find((other) => other !== transaction);
  const until = user?.ended ?? building;
  if (until) throw new Blocked(until);
}

function cannot(message: string): never {
  fail('CannotCreateIndex', message);
}

function checkKey(key: Document): void {
  const fields = Object.entries(key);
  if (fields.length === 0 || fields.length > 32) cannot('Index keys must have between 1 and 32 fields');
  for (const [path, direction] of fields) {
    const names = path.split('.');
    if (typeof direction === 'string') refuse(`an index of type '${direction}'`);
    if (names.includes('$**')) refuse('a wildcard index');
    if (names.some((name) => name === '' || name.startsWith('$')))
      cannot(`Index key contains an illegal field name: '${path}'`);
    if (!isNumeric(direction)) cannot(`Values in an index key pattern cannot be of type ${typeName(direction)}.`);
    if (!(Math.abs(toNumber(direction)) > 0)) cannot('Values in the index key pattern cannot be 0.');
  }
}

export const indexKeys = ['key', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'];

/** Returns the definition of an index for an element of `indexes`. */
export function indexSpec(given: Document): IndexSpec {
  checkKeys(given, indexKeys, 'an index');
  const key = documentField(given, 'key');
  checkKey(key);
  const name = text(given, 'name');
  if (name === '' || name === '*') cannot(`The index name '${name}' is not valid`);
  const partial = optionalDocument(given, 'partialFilterExpression');
  if (partial) compileFilter(partial);
  const seconds = optionalNumber(given, 'expireAfterSeconds');
  if (partial && flag(given, 'sparse')) cannot('cannot mix "partialFilterExpression" and "sparse" options');
  if (seconds !== undefined) checkExpiry(key, seconds);
  return {
    v: 2,
    key: key as Record<string, number>,
    name,
    ...(flag(given, 'unique') && { unique: true }),
    ...(flag(given, 'sparse') && { sparse: true }),
    ...(seconds !== undefined && { expireAfterSeconds: seconds }),
    ...(partial && { partialFilterExpression: partial }),
  };
}

export function checkExpiry(key: Document, seconds: number): void {
  if (seconds < 0 || seconds > 2_147_483_647)
    cannot(`TTL index 'expireAfterSeconds' option must be within an acceptable range, was ${seconds}`);
  if (Object.keys(key).length !== 1 || '_id' in key)
    cannot('TTL indexes are single-field indexes, and the _id field cannot expire');
}

/** Whether the collection already has this index. Throws if it has a different one with the same name or key. */
export function hasIndex(collection: Collection, spec: IndexSpec): boolean {
  if (Object.keys(spec.key).join() === '_id') {
    if (!spec.sparse && !spec.partialFilterExpression) return true;
    fail('InvalidIndexSpecificationOption', 'The _id index cannot have this option');
  }
  const named = collection.indexNamed(spec.name)?.spec;
  if (named) {
    if (equalValues(named, { ...named, ...spec }) && equalValues(spec, { ...spec, ...named })) return true;
    const code = equalValues(named.key, spec.key) ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict';
    fail(code, `An existing index has the same name as the requested index: ${spec.name}`);
  }
  const alike = collection.indexes.find(
    (index) =>
      equalValues(index.spec.key, spec.key) &&
      equalValues(index.spec.partialFilterExpression, spec.partialFilterExpression),
  );
  if (alike) fail('IndexOptionsConflict', `Index already exists with a different name: ${alike.spec.name}`);
  return false;
}
