import { equalValues } from '../language/compare.js';
import { fail, unsupported, show } from '../language/errors.js';
import { compileFilter } from '../language/filter.js';
import { pathParts } from '../language/path.js';
import type { Document } from '../language/values.js';
import type { IndexSpec } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { Blocked } from '../storage/conflicts.js';
import type { Context } from './context.js';
import { checkKeys, documentField, flag, optionalDocument, optionalNumber, text } from './fields.js';

/** Throws Blocked while another transaction uses the collection, or while one of its indexes is being built. */
export function checkUnused({ transaction }: Context, { users, building }: Collection): void {
  const user = [...users].find((other) => other !== transaction);
  const until = user?.ended ?? building;
  if (until) throw new Blocked(until);
}

function failCreateIndex(message: string): never {
  fail('CannotCreateIndex', message);
}

function checkKey(key: Document): void {
  const fields = Object.entries(key);
  if (fields.length === 0 || fields.length > 32) failCreateIndex('Index keys must have between 1 and 32 fields');
  for (const [path, direction] of fields) {
    pathParts(path);
    if (direction !== 1 && direction !== -1) unsupported(`an index of type ${show(direction)}`);
  }
}

export const indexSpecKeys = ['key', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'];

/** Returns the definition of an index from an element of `createIndexes.indexes`. */
export function indexSpec(given: Document): IndexSpec {
  checkKeys(given, indexSpecKeys, 'an index');
  const key = documentField(given, 'key');
  checkKey(key);
  const name = text(given, 'name');
  if (name === '' || name === '*') failCreateIndex(`The index name '${name}' is not valid`);
  const partial = optionalDocument(given, 'partialFilterExpression');
  if (partial) compileFilter(partial);
  const seconds = optionalNumber(given, 'expireAfterSeconds');
  if (partial && flag(given, 'sparse')) failCreateIndex('cannot mix "partialFilterExpression" and "sparse" options');
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
    failCreateIndex(`expireAfterSeconds must be between 0 and 2147483647, not ${seconds}`);
  if (Object.keys(key).length !== 1 || '_id' in key) failCreateIndex('a TTL index has one field, which is not _id');
}

/**
 * Returns whether the collection has this index. Throws if it has a different index with the same name, or with the
 * same key and partial filter.
 */
export function hasIndex({ indexes }: Collection, spec: IndexSpec): boolean {
  const equal = (a: IndexSpec, b: IndexSpec, ...fields: (keyof IndexSpec)[]): boolean =>
    fields.every((field) => equalValues(a[field], b[field]));
  const found = indexes.find(
    (index) => index.spec.name === spec.name || equal(index.spec, spec, 'key', 'partialFilterExpression'),
  )?.spec;
  if (!found) return false;
  if (equal(found, spec, ...(Object.keys({ ...found, ...spec }) as (keyof IndexSpec)[]))) return true;
  const code = equal(found, spec, 'key') ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict';
  return fail(
    code,
    `the index ${spec.name} conflicts with the index ${found.name}, which has a different name, key or options`,
  );
}
