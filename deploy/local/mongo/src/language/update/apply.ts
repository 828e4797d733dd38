import { fail, show } from '../errors.js';
import { arrayIndex } from '../path.js';
import { copyDocument, type Document, isDocument, newDocument } from '../values.js';
import { type Elements, type Fields, type Leaf, mergeNodes, type Node } from './tree.js';

/** How far beyond its end an array may be extended with nulls in one step. */
const MAX_PADDING = 1_500_000;

export interface ApplyContext {
  document: Document;
  /** An upsert's insert: `$setOnInsert` takes part. */
  insert: boolean;
  /** The array filters by identifier. */
  filters: Map<string, (element: unknown) => boolean>;
}

/** The document after the tree's changes; the same object if nothing changed. Copies only what it changes. */
export function applyTree(root: Fields, context: ApplyContext): Document {
  return applyFields(root, context.document, context, '') as Document;
}

function applyNode(node: Node, value: unknown, context: ApplyContext, path: string): unknown {
  if (node.kind === 'fields') return applyFields(node, value, context, path);
  if (node.kind === 'elements') return applyElements(node, value, context, path);
  return applyLeaf(node, value, context, path);
}

function applyLeaf({ modifier }: Leaf, value: unknown, context: ApplyContext, path: string): unknown {
  if (modifier.insertOnly && !context.insert) return value;
  return modifier.apply(value, { document: context.document, path });
}

/** Whether a node would make fields where there are none. */
function creates(node: Node, context: ApplyContext): boolean {
  if (node.kind === 'leaf') {
    const { creates: makes, insertOnly } = node.modifier;
    return makes && (context.insert || !insertOnly);
  }
  return node.kind === 'elements' || [...node.children.values()].some((child) => creates(child, context));
}

function applyFields(node: Fields, value: unknown, context: ApplyContext, path: string): unknown {
  const { children } = node;
  if (Array.isArray(value)) return applyToIndexes(children, value, context, path);
  if (isDocument(value)) return applyToDocument(children, value, context, path);
  if (![...children.values()].some((child) => creates(child, context))) return value;
  if (value !== undefined) {
    const name = [...children.keys()][0]!;
    fail('PathNotViable', `Cannot create field '${name}' in element {${lastOf(path)}: ${show(value)}}`);
  }
  const made = applyToDocument(children, newDocument(), context, path) as Document;
  return Object.keys(made).length === 0 ? undefined : made;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
const join = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

function applyToDocument(
  children: Map<string, Node>,
  document: Document,
  context: ApplyContext,
  path: string,
): unknown {
  let result = document;
  for (const [name, child] of children) {
    const before = document[name];
    const after = applyNode(child, before, context, join(path, name));
    if (Object.is(after, before)) continue;
    if (result === document) result = copyDocument(document);
    if (after === undefined) delete result[name];
    else result[name] = after;
  }
  return result;
}

function applyToIndexes(children: Map<string, Node>, array: unknown[], context: ApplyContext, path: string): unknown {
  let result = array;
  for (const [name, child] of children) {
    const index = arrayIndex(name);
    if (index < 0) {
      if (!creates(child, context)) continue;
      fail('PathNotViable', `Cannot create field '${name}' in element {${lastOf(path)}: ${show(array)}}`);
    }
    const after = applyNode(child, array[index], context, join(path, name));
    if (Object.is(after, array[index])) continue;
    if (result === array) result = [...array];
    if (index > result.length + MAX_PADDING) fail('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
    while (result.length < index) result.push(null);
    // An element cannot be taken out by its path: $unset leaves a null.
    result[index] = after === undefined ? null : after;
  }
  return result;
}

function applyElements(node: Elements, value: unknown, context: ApplyContext, path: string): unknown {
  if (value === undefined)
    fail('BadValue', `The path '${path}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(value))
    return fail('BadValue', `Cannot apply array updates to non-array element ${lastOf(path)}: ${show(value)}`);
  const array = value as unknown[];
  let result = array;
  array.forEach((element, i) => {
    const nodes = [...node.children].filter(([id]) => context.filters.get(id)!(element)).map(([, child]) => child);
    if (nodes.length === 0) return;
    const after = applyNode(
      nodes.reduce((a, b) => mergeNodes(a, b, join(path, i))),
      element,
      context,
      join(path, i),
    );
    if (Object.is(after, element)) return;
    if (result === array) result = [...array];
    result[i] = after === undefined ? null : after;
  });
  return result;
}
