import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { isOperators } from '../filter/regex.js';
import { type Document, newDocument } from '../values.js';

/** Returns a document of the fields for which a filter allows only one value: an upsert starts with them. */
export function equalityFields(filter: Document): Document {
  const values = new Map<string, unknown>();
  for (const [path, value] of equalities(filter)) {
    if (values.has(path))
      fail('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
    values.set(path, value);
  }
  const document = newDocument();
  for (const [path, value] of values) put(document, path, value, [...values.keys()]);
  return document;
}

function* equalities(filter: Document): Iterable<[path: string, value: unknown]> {
  for (const [key, value] of Object.entries(filter)) {
    const branches = value as Document[];
    if (key === '$and' || (key === '$or' && branches.length === 1))
      for (const each of branches) yield* equalities(each);
    else if (isOperators(value)) {
      if ('$eq' in value) yield [key, value.$eq];
      for (const list of [value.$all, value.$in]) if (Array.isArray(list) && list.length === 1) yield [key, list[0]];
    } else if (!key.startsWith('$') && !(value instanceof BSONRegExp)) yield [key, value];
  }
}

function put(document: Document, path: string, value: unknown, paths: string[]): void {
  const parent = paths.find((other) => path.startsWith(`${other}.`));
  if (parent !== undefined)
    fail('NotSingleValueField', `cannot infer query fields to set, both paths '${path}' and '${parent}' are matched`);
  const parts = path.split('.');
  const last = parts.pop()!;
  let at = document;
  for (const part of parts) at = (at[part] ??= newDocument()) as Document;
  at[last] = value;
}
