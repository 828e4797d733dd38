import { fail } from '../errors.js';
import { show } from '../show.js';
import { type Document, isDocument, typeName } from '../values.js';
import { ARRAY_MODIFIERS } from './array-modifier.js';
import { type Modifier, type ModifierFactory, SCALAR_MODIFIERS } from './modifier.js';
import { addToTree, type Fields, newFields, sortTree } from './tree.js';

const MODIFIERS: Record<string, ModifierFactory> = { ...SCALAR_MODIFIERS, ...ARRAY_MODIFIERS };

export interface ParsedOperators {
  root: Fields;
  paths: string[];
}

/** Reads `{ $set: {…}, $inc: {…} }` into a tree of changes, refusing what the server refuses. */
export function parseOperators(update: Document): ParsedOperators {
  const root = newFields();
  const paths: string[] = [];
  const add = (path: string, modifier: Modifier): void => {
    checkPath(path);
    addToTree(root, path, modifier);
    paths.push(path);
  };
  for (const name in update) {
    const fields = update[name];
    if (name !== '$rename' && !Object.hasOwn(MODIFIERS, name)) {
      fail(
        'FailedToParse',
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDocument(fields)) {
      fail(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${show(fields)}}`,
      );
    }
    for (const path in fields) {
      if (name === '$rename') addRename(path, fields[path], add);
      else add(path, MODIFIERS[name]!(fields[path], path));
    }
  }
  sortTree(root);
  return { root, paths };
}

function checkPath(path: string): void {
  if (path === '') fail('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  parts.forEach((part, i) => {
    if (part === '')
      fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (!part.startsWith('$')) return;
    const positional = part === '$' || /^\$\[.*\]$/.test(part);
    if (positional && i === 0)
      fail('BadValue', `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    if (!positional)
      fail(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
  });
  if (parts.filter((part) => part === '$').length > 1)
    fail('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
}

function addRename(from: string, to: unknown, add: (path: string, modifier: Modifier) => void): void {
  if (typeof to !== 'string')
    return fail('BadValue', `The 'to' field for $rename must be a string: ${from}: ${show(to)}`);
  checkPath(from);
  checkPath(to);
  if (from === to) fail('BadValue', `The source and target field for $rename must differ: ${from}: "${to}"`);
  if (`${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`)) {
    fail('BadValue', `The source and target field for $rename must not be on the same path: ${from}: "${to}"`);
  }
  for (const [name, path] of [
    ['source', from],
    ['destination', to],
  ] as const) {
    if (path.includes('$')) fail('BadValue', `The ${name} field for $rename may not be dynamic: ${path}`);
  }
  add(from, { creates: false, apply: () => undefined });
  add(to, renamed(from, to));
}

function renamed(from: string, to: string): Modifier {
  return {
    creates: true,
    hasSource: (document) => plainValueAt(document, from, 'source') !== undefined,
    apply(value, { document }) {
      const moved = plainValueAt(document, from, 'source');
      if (moved === undefined) return value;
      plainValueAt(document, to, 'destination');
      return moved;
    },
  };
}

/** The value at a path that leads through documents only. */
function plainValueAt(document: Document, path: string, role: string): unknown {
  let value: unknown = document;
  let walked = '';
  for (const part of path.split('.')) {
    if (Array.isArray(value)) {
      return fail(
        'BadValue',
        `The ${role} field cannot be an array element, '${path}' in doc with _id: ${show(document._id)} has an array field called '${walked}'`,
      );
    }
    if (!isDocument(value)) return undefined;
    value = value[part];
    walked = part;
  }
  return value;
}
