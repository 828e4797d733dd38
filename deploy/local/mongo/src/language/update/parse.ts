import { fail, refuse, show } from '../errors.js';
import { type Document, isDocument, typeName } from '../values.js';
import { MODIFIERS } from './modifier.js';
import { addToTree, type Fields, newFields, sortTree } from './tree.js';

export interface ParsedOperators {
  root: Fields;
  paths: string[];
}

/** Reads `{ $set: {…}, $inc: {…} }` into a tree of changes, refusing what the server refuses. */
export function parseOperators(update: Document): ParsedOperators {
  const root = newFields();
  const paths: string[] = [];
  for (const name in update) {
    const fields = update[name];
    if (!Object.hasOwn(MODIFIERS, name)) refuse(`the update operator ${name}`);
    if (!isDocument(fields))
      fail('FailedToParse', `Modifiers operate on fields but we found type ${typeName(fields)} instead: {${name}: ${show(fields)}}`); // prettier-ignore
    for (const path in fields) {
      checkPath(path);
      addToTree(root, path, MODIFIERS[name]!(fields[path], path));
      paths.push(path);
    }
  }
  sortTree(root);
  return { root, paths };
}

function checkPath(path: string): void {
  path.split('.').forEach((part, i) => {
    if (part === '')
      fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
    if (!part.startsWith('$')) return;
    if (part === '$' || part === '$[]') refuse(`the positional operator ${part}`);
    if (!/^\$\[.+\]$/.test(part))
      fail('DollarPrefixedFieldName', `The dollar ($) prefixed field '${part}' in '${path}' is not allowed.`);
    if (i === 0) fail('BadValue', `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  });
}
