import { fail } from '../errors.js';
import { type Expression, parseExpression, type Scope, type Variables } from '../expression.js';
import { copyDocument, type Document, isDocument, isNumeric, newDocument, toNumber } from '../values.js';

/**
 * The fields of a projection as a tree. A leaf says that the field stays (`keep`), goes (`drop`), or is computed from the
 * whole document.
 */
export type ProjectionNode = 'keep' | 'drop' | Computed | ProjectionTree;

interface Computed {
  expression: Expression;
}

export interface ProjectionTree {
  children: Map<string, ProjectionNode>;
}

export type Mode = 'inclusion' | 'exclusion' | 'addition';

export const newTree = (): ProjectionTree => ({ children: new Map() });
const isTree = (node: ProjectionNode): node is ProjectionTree => typeof node === 'object' && 'children' in node;

/** The leaf that a projection's value means: a flag, or an expression. */
export function leafOf(value: unknown, scope: Scope): ProjectionNode {
  if (typeof value === 'boolean') return value ? 'keep' : 'drop';
  if (isNumeric(value)) return toNumber(value) !== 0 ? 'keep' : 'drop';
  return { expression: parseExpression(value, scope) };
}

/** Adds a field at a dotted path. Two paths of which one contains the other collide. */
export function addLeaf(tree: ProjectionTree, path: string, node: ProjectionNode): void {
  const parts = checkedParts(path);
  let at = tree;
  parts.forEach((part, i) => {
    const held = at.children.get(part);
    if (i + 1 === parts.length) {
      if (held) fail(31250, `Path collision at ${path}`);
      at.children.set(part, node);
      return;
    }
    if (held && !isTree(held))
      fail(31249, `Path collision at ${path} remaining portion ${parts.slice(i + 1).join('.')}`);
    const next = held ?? newTree();
    at.children.set(part, next);
    at = next;
  });
}

export function checkedParts(path: string): string[] {
  const parts = path.split('.');
  for (const part of parts) {
    if (part === '')
      fail(
        path === '' ? 40352 : 15998,
        path === ''
          ? 'FieldPath cannot be constructed with empty string'
          : 'FieldPath field names may not be empty strings.',
      );
    if (part.startsWith('$'))
      fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
  }
  return parts;
}

/** Reads `{ a: 1, 'b.c': 0, d: { e: '$x' } }`; `special` may take a value (`$slice`…) before it is read as an expression. */
export function readTree(
  specification: Document,
  scope: Scope,
  special: (path: string, value: unknown) => boolean = () => false,
): ProjectionTree {
  const tree = newTree();
  readFields(specification, '', tree, scope, special);
  return tree;
}

function readFields(
  fields: Document,
  prefix: string,
  tree: ProjectionTree,
  scope: Scope,
  special: (path: string, value: unknown) => boolean,
): void {
  for (const key in fields) {
    const value = fields[key];
    const path = prefix + key;
    if (special(path, value)) continue;
    if (!isDocument(value) || isExpression(value)) addLeaf(tree, path, leafOf(value, scope));
    else {
      if (Object.keys(value).length === 0)
        fail(51270, 'An empty sub-projection is not a valid value. Found empty object at path');
      readFields(value, `${path}.`, tree, scope, special);
    }
  }
}

const isExpression = (value: Document): boolean => Object.keys(value)[0]?.startsWith('$') ?? false;

/** Whether the tree includes or excludes; fields but `_id` decide, which may always go the other way. */
export function modeOf(tree: ProjectionTree): Mode {
  const leaves = [...leavesOf(tree, '')].filter(([path]) => path !== '_id');
  const first = leaves.find(([, node]) => node !== undefined);
  const id = tree.children.get('_id');
  const mode = first
    ? first[1] === 'drop'
      ? 'exclusion'
      : 'inclusion'
    : id === undefined || id === 'drop'
      ? 'exclusion'
      : 'inclusion';
  for (const [path, node] of leaves) {
    if (mode === 'inclusion' && node === 'drop')
      fail(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    if (mode === 'exclusion' && node === 'keep')
      fail(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
    if (mode === 'exclusion' && node !== 'drop')
      fail(31252, 'Cannot use expression other than $meta in exclusion projection');
  }
  return mode;
}

function* leavesOf(tree: ProjectionTree, prefix: string): Generator<[string, ProjectionNode]> {
  for (const [name, node] of tree.children) {
    if (isTree(node)) yield* leavesOf(node, `${prefix}${name}.`);
    else yield [prefix + name, node];
  }
}

/** Applies the tree to a document. */
export function project(tree: ProjectionTree, mode: Mode, document: Document, variables: Variables): Document {
  const kept =
    mode === 'inclusion' ? include(tree, document) : mode === 'exclusion' ? exclude(tree, document) : document;
  return compute(tree, kept, document, variables) as Document;
}

function include(tree: ProjectionTree, document: Document): Document {
  const result = newDocument();
  for (const key in document) {
    const node = tree.children.get(key);
    if (node === 'keep') result[key] = document[key];
    else if (node && isTree(node)) {
      const value = includeIn(node, document[key]);
      if (value !== undefined) result[key] = value;
    }
  }
  return result;
}

function includeIn(tree: ProjectionTree, value: unknown): unknown {
  if (isDocument(value)) return include(tree, value);
  if (!Array.isArray(value)) return undefined;
  const elements = value.map((element) => includeIn(tree, element));
  // What is no document is left out, unless computed fields are going to make one of it.
  return computes(tree) ? elements : elements.filter((element) => element !== undefined);
}

function exclude(tree: ProjectionTree, document: Document): Document {
  const result = newDocument();
  for (const key in document) {
    const node = tree.children.get(key);
    if (node === 'drop') continue;
    result[key] = node && isTree(node) ? excludeIn(node, document[key]) : document[key];
  }
  return result;
}

function excludeIn(tree: ProjectionTree, value: unknown): unknown {
  if (isDocument(value)) return exclude(tree, value);
  return Array.isArray(value) ? value.map((element) => excludeIn(tree, element)) : value;
}

function computes(node: ProjectionNode): boolean {
  if (isTree(node)) return [...node.children.values()].some(computes);
  return typeof node === 'object';
}

/** Sets the computed fields, in every element of an array on the way; what is no document gives way to one. */
function compute(tree: ProjectionTree, into: unknown, root: Document, variables: Variables): unknown {
  if (Array.isArray(into)) return into.map((element) => compute(tree, element, root, variables));
  let result = isDocument(into) ? into : newDocument();
  let copied = false;
  for (const [name, node] of tree.children) {
    if (!computes(node)) continue;
    const value = isTree(node)
      ? compute(node, result[name], root, variables)
      : (node as Computed).expression(root, variables);
    if (!copied) result = copyDocument(result);
    copied = true;
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}
