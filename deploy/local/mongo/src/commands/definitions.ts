import { MongoError } from '../language/errors.js';
import { equalValues } from '../language/compare.js';
import { compileFilter } from '../language/filter.js';
import { isDocument, isNumeric, toNumber, typeName, type Document } from '../language/values.js';
import type { Collection } from '../storage/collection.js';
import type { IndexSpec } from '../storage/collection-index.js';
import { endOf, writeConflict, type Context } from './context.js';
import { flag, optionalDocument, optionalNumber, optionalText, refuseCollation } from './fields.js';

/** Waits until no transaction uses the collection, whose definition is about to change. */
export async function unused(context: Context, collection: Collection): Promise<void> {
  for (;;) {
    const user = [...collection.users].find((unit) => !context.inTransaction || unit !== context.unit);
    if (!user) return;
    if (context.inTransaction) throw writeConflict();
    await endOf(user, context.deadline);
  }
}

const known = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'hidden',
  'expireAfterSeconds',
  'partialFilterExpression',
  'background',
  'ns',
  'collation',
]);

const refused = (what: string): never => {
  throw new MongoError('CommandNotSupported', `${what} is not supported by this engine`);
};

function cannot(message: string): never {
  throw new MongoError('CannotCreateIndex', message);
}

/** The name that the server gives an index without one. */
const defaultName = (key: Document): string =>
  Object.entries(key)
    .map(([path, direction]) => `${path}_${isNumeric(direction) ? toNumber(direction) : String(direction)}`)
    .join('_');

function checkKey(key: Document): void {
  if (Object.keys(key).length === 0) cannot('Index keys cannot be an empty object');
  if (Object.keys(key).length > 32) cannot('Index key pattern too large');
  for (const [path, direction] of Object.entries(key)) {
    if (typeof direction === 'string') refused(`an index of type '${direction}'`);
    if (path === '$**' || path.endsWith('.$**')) refused('a wildcard index');
    if (path === '' || path.startsWith('.') || path.endsWith('.') || path.includes('..'))
      cannot('Index keys cannot contain an empty field');
    if (path.split('.').some((segment) => segment.startsWith('$')))
      cannot(`Index key contains an illegal field name: field name starts with '$'`);
    if (!isNumeric(direction))
      cannot(
        `Values in v:2 index key pattern cannot be of type ${typeName(direction)}. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    if (!(toNumber(direction) > 0 || toNumber(direction) < 0)) cannot('Values in the index key pattern cannot be 0.');
  }
}

/** An element of `indexes`, checked and in the form that is kept. */
export function indexSpec(given: Document): IndexSpec {
  for (const option of Object.keys(given)) {
    if (!known.has(option)) notKnown(option);
  }
  refuseCollation(given);
  const key = optionalDocument(given, 'key') ?? cannot('The index key is missing');
  checkKey(key);
  const name = optionalText(given, 'name') ?? defaultName(key);
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
    ...(flag(given, 'hidden') && { hidden: true }),
    ...(seconds !== undefined && { expireAfterSeconds: seconds }),
    ...(partial && { partialFilterExpression: partial }),
  };
}

const ofOtherIndexes = new Set([
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
  'wildcardProjection',
  'storageEngine',
  'clustered',
  'prepareUnique',
  'dropDups',
]);

function notKnown(option: string): never {
  if (ofOtherIndexes.has(option)) refused(`the index option '${option}'`);
  throw new MongoError(
    'InvalidIndexSpecificationOption',
    `The field '${option}' is not valid for an index specification.`,
  );
}

export function checkExpiry(key: Document, seconds: number): void {
  if (seconds < 0 || seconds > 2_147_483_647)
    cannot(`TTL index 'expireAfterSeconds' option must be within an acceptable range, was ${seconds}`);
  if (Object.keys(key).length !== 1 || '_id' in key)
    cannot(
      'TTL indexes are single-field indexes, compound indexes do not support TTL, and the _id field cannot expire',
    );
}

const sameOptions = (a: IndexSpec, b: IndexSpec): boolean =>
  (a.unique ?? false) === (b.unique ?? false) &&
  (a.sparse ?? false) === (b.sparse ?? false) &&
  a.expireAfterSeconds === b.expireAfterSeconds &&
  equalValues(a.partialFilterExpression, b.partialFilterExpression);

const sameKey = (a: IndexSpec, b: IndexSpec): boolean =>
  equalValues(a.key, b.key) && Object.keys(a.key).join('\0') === Object.keys(b.key).join('\0');

/** Whether the collection has this index already. Errors 85 and 86 when it has another one in its place. */
export function hasIndex(collection: Collection, spec: IndexSpec): boolean {
  if (Object.keys(spec.key).join() === '_id') return checkIdIndex(spec);
  const named = collection.indexNamed(spec.name)?.spec;
  if (named) {
    if (sameKey(named, spec) && sameOptions(named, spec)) return true;
    const why = `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. Requested index: ${spec.name}, existing index: ${named.name}`;
    if (sameKey(named, spec)) throw new MongoError('IndexOptionsConflict', why);
    throw new MongoError('IndexKeySpecsConflict', why);
  }
  const alike = collection.indexes.find(
    (index) =>
      sameKey(index.spec, spec) && equalValues(index.spec.partialFilterExpression, spec.partialFilterExpression),
  );
  if (alike)
    throw new MongoError('IndexOptionsConflict', `Index already exists with a different name: ${alike.spec.name}`);
  return false;
}

function checkIdIndex(spec: IndexSpec): boolean {
  const { unique, sparse, partialFilterExpression, expireAfterSeconds } = spec;
  if (sparse || partialFilterExpression || expireAfterSeconds !== undefined || unique === false)
    throw new MongoError('InvalidIndexSpecificationOption', 'The _id index cannot have this option');
  return true;
}

/** The options of a collection that can be kept; others are refused by name. */
export function collectionOptions(body: Document): Document {
  const validator = optionalDocument(body, 'validator');
  const level = optionalText(body, 'validationLevel');
  const action = optionalText(body, 'validationAction');
  if (level !== undefined && level !== 'strict' && level !== 'off') refused(`validationLevel '${level}'`);
  if (action !== undefined && action !== 'error') refused(`validationAction '${action}'`);
  if (validator && isDocument(validator)) compileFilter(validator);
  return {
    ...(validator && { validator }),
    ...(level && { validationLevel: level }),
    ...(action && { validationAction: action }),
  };
}
