import { fail } from '../errors.js';
import { arrayIndex } from '../path.js';
import type { Modifier } from './modifier.js';

/**
 * The paths of an update as a tree, so that each level of a document is copied at most once and paths that get in each
 * other's way are found when the update is read.
 */
export type Node = Leaf | Fields | Elements;

export interface Leaf {
  kind: 'leaf';
  modifier: Modifier;
}

/** Children by field name or array index. */
export interface Fields {
  kind: 'fields';
  children: Map<string, Node>;
}

/** Children by array filter (`$[id]`). */
export interface Elements {
  kind: 'elements';
  children: Map<string, Node>;
}

export const newFields = (): Fields => ({ kind: 'fields', children: new Map() });

export function addToTree(root: Fields, path: string, modifier: Modifier): void {
  const parts = path.split('.');
  let node: Fields | Elements = root;
  parts.forEach((part, i) => {
    const filter = /^\$\[(.*)\]$/.exec(part);
    const wanted = filter ? 'elements' : 'fields';
    if (node.kind !== wanted && node.children.size > 0) conflict(path, parts.slice(0, i));
    if (node.kind !== wanted) (node as { kind: string }).kind = wanted;
    node = child(node, filter ? filter[1]! : part, parts, i, modifier);
  });
}

function child(
  node: Fields | Elements,
  name: string,
  parts: string[],
  i: number,
  modifier: Modifier,
): Fields | Elements {
  const held = node.children.get(name);
  const last = i + 1 === parts.length;
  if (held && (last || held.kind === 'leaf')) conflict(parts.join('.'), parts.slice(0, i + 1));
  if (held) return held;
  const made: Node = last ? { kind: 'leaf', modifier } : newFields();
  node.children.set(name, made);
  return made as Fields | Elements;
}

function conflict(path: string, at: string[]): never {
  return fail('ConflictingUpdateOperators', `Updating the path '${path}' would create a conflict at '${at.join('.')}'`);
}

/** Puts children in the order in which the server applies them: numbers by value, names by their bytes. */
export function sortTree(node: Node): void {
  if (node.kind === 'leaf') return;
  const entries = [...node.children].sort(([a], [b]) => comparePathParts(a, b));
  node.children = new Map(entries);
  for (const [, each] of entries) sortTree(each);
}

function comparePathParts(a: string, b: string): number {
  const x = arrayIndex(a);
  const y = arrayIndex(b);
  if (x >= 0 && y >= 0) return x - y;
  return a < b ? -1 : 1;
}

/** What applies to one element that several array filters match. */
export function mergeNodes(a: Node, b: Node, path: string): Node {
  if (a.kind === 'leaf' || b.kind === 'leaf' || a.kind !== b.kind) return conflict(path, path.split('.'));
  const children = new Map(a.children);
  for (const [name, node] of b.children) {
    const held = children.get(name);
    children.set(name, held ? mergeNodes(held, node, `${path}.${name}`) : node);
  }
  const merged: Node = { kind: a.kind, children };
  sortTree(merged);
  return merged;
}
