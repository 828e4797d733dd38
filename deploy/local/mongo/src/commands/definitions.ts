import { fail, refuse } from '../language/errors.js';
import { equalValues } from '../language/compare.js';
import { compileFilter } from '../language/filter.js';
import { isNumeric, toNumber, typeName, type Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { IndexSpec } from '../storage/collection-index.js';
import { Blocked } from '../storage/conflicts.js';
import type { Context } from './context.js';
import { checkKeys, documentField, flag, optionalDocument, optionalNumber, text } from './fields.js';

/** Throws Blocked while another transaction uses the collection, or an index is built, whose definition is about to change. */
export function checkUnused({ transaction }: Context, collection: Collection): void {
  const user = [...collection.users].find((other) => other !== transaction);
  const until = user?.ended ?? collection.building;
  if (until) throw new Blocked(until);
}

function cannot(message: string): never {
  fail('CannotCreateIndex', message);
}

function checkKey(key: Document): void {
  const paths = Object.keys(key);
  if (paths.length === 0) cannot('Index keys cannot be an empty object');
  if (paths.length > 32) cannot('Index key pattern too large');
  for (const path of paths) {
    const direction = key[path];
    if (typeof direction === 'string') refuse(`an index of type '${direction}'`);
    if (path.split('.').includes('$**')) refuse('a wildcard index');
    if (path.split('.').includes('')) cannot('Index keys cannot contain an empty field');
    if (path.split('.').some((segment) => segment.startsWith('$')))
      cannot(`Index key contains an illegal field name: field name starts with '$'`);
    if (!isNumeric(direction)) cannot(`Values in an index key pattern cannot be of type ${typeName(direction)}.`);
    if (!(toNumber(direction) > 0 || toNumber(direction) < 0)) cannot('Values in the index key pattern cannot be 0.');
  }
}

/** The fields of an element of `indexes`. */
export const indexKeys = ['key', 'name', 'unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'];

/** An element of `indexes`, checked and in the form that is kept. */
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

const sameOptions = (a: IndexSpec, b: IndexSpec): boolean =>
  (a.unique ?? false) === (b.unique ?? false) &&
  (a.sparse ?? false) === (b.sparse ?? false) &&
  a.expireAfterSeconds === b.expireAfterSeconds &&
  equalValues(a.partialFilterExpression, b.partialFilterExpression);

/** Whether the collection has this index already. Errors 85 and 86 when it has another one in its place. */
export function hasIndex(collection: Collection, spec: IndexSpec): boolean {
  if (Object.keys(spec.key).join() === '_id') return checkIdIndex(spec);
  const named = collection.indexNamed(spec.name)?.spec;
  if (named) {
    const sameKey = equalValues(named.key, spec.key);
    if (sameKey && sameOptions(named, spec)) return true;
    const why = `An existing index has the same name as the requested index: ${spec.name}`;
    fail(sameKey ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict', why);
  }
  const alike = collection.indexes.find(
    (index) =>
      equalValues(index.spec.key, spec.key) &&
      equalValues(index.spec.partialFilterExpression, spec.partialFilterExpression),
  );
  if (alike) fail('IndexOptionsConflict', `Index already exists with a different name: ${alike.spec.name}`);
  return false;
}

function checkIdIndex({ sparse, partialFilterExpression }: IndexSpec): boolean {
  if (sparse || partialFilterExpression)
    fail('InvalidIndexSpecificationOption', 'The _id index cannot have this option');
  return true;
}
