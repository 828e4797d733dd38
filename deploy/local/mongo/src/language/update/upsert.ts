import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { isOperators } from '../filter/operators.js';
import { type Document, newDocument } from '../values.js';

/** The fields that a filter fixes to one value: what an upsert's document starts from. */
export function equalityFields(filter: Document): Document {
  const values = new Map<string, unknown>();
  collect(filter, values);
  const document = newDocument();
  for (const [path, value] of values) put(document, path, value, [...values.keys()]);
  return document;
}

function collect(filter: Document, values: Map<string, unknown>): void {
  for (const key in filter) {
    const value = filter[key];
    const branches = value as Document[];
    if (key === '$and' || (key === '$or' && branches.length === 1))
      for (const branch of branches) collect(branch, values);
    else if (!key.startsWith('$')) collectField(key, value, values);
  }
}

function collectField(path: string, value: unknown, values: Map<string, unknown>): void {
  if (isOperators(value)) {
    if ('$eq' in value) take(path, value.$eq, values);
    for (const list of [value.$all, value.$in]) {
      if (Array.isArray(list) && list.length === 1) take(path, list[0], values);
    }
  } else if (!(value instanceof BSONRegExp)) take(path, value, values);
}

function take(path: string, value: unknown, values: Map<string, unknown>): void {
  if (values.has(path))
    fail('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
  values.set(path, value);
}

function put(document: Document, path: string, value: unknown, paths: string[]): void {
  const parts = path.split('.');
  const prefix = paths.find((other) => path.startsWith(`${other}.`));
  if (prefix !== undefined)
    fail('NotSingleValueField', `cannot infer query fields to set, both paths '${path}' and '${prefix}' are matched`);
  let at = document;
  for (const part of parts.slice(0, -1)) at = (at[part] ??= newDocument()) as Document;
  at[parts.at(-1)!] = value;
}
