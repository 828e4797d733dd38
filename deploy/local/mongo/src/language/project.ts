import { fail, refuse } from './errors.js';
import { pathParts } from './path.js';
import { type Document, isDocument, isNumeric, isTrue, newDocument } from './values.js';

/** The fields of a projection: those kept or removed whole, and those of which a part is. */
type Tree = Map<string, boolean | Tree>;

/** Compiles a projection of `find` or `$project` that includes or excludes fields. */
export function compileProjection(specification: Document): (document: Document) => Document {
  const tree: Tree = new Map();
  for (const path in specification) {
    const value = specification[path];
    if (typeof value !== 'boolean' && !isNumeric(value))
      refuse(`the projection ${isDocument(value) ? Object.keys(value).join() : String(value)} of '${path}'`);
    addFlag(tree, path, isTrue(value));
  }
  const includes = modeOf(tree);
  if (includes && !tree.has('_id')) tree.set('_id', true);
  return (document) => project(tree, document, includes);
}

function addFlag(tree: Tree, path: string, keep: boolean): void {
  const parts = pathParts(path);
  const last = parts.pop()!;
  let at = tree;
  for (const part of parts) {
    const held = at.get(part) ?? new Map<string, boolean | Tree>();
    if (typeof held === 'boolean') return fail(31249, `Path collision at ${path}`);
    at.set(part, held);
    at = held;
  }
  if (at.has(last)) fail(31249, `Path collision at ${path}`);
  at.set(last, keep);
}

/** Whether the projection includes; all fields but `_id` must do the same. Throws 31253 or 31254 if they do not. */
function modeOf(tree: Tree): boolean {
  const flags = [...tree].flatMap(([name, node]) => (name === '_id' ? [] : flagsOf(node)));
  const includes = flags[0] ?? tree.get('_id') === true;
  const what = includes ? 'exclusion in inclusion' : 'inclusion in exclusion';
  if (flags.includes(!includes)) fail(includes ? 31254 : 31253, `Cannot do ${what} projection`);
  return includes;
}

const flagsOf = (node: boolean | Tree): boolean[] =>
  typeof node === 'boolean' ? [node] : [...node.values()].flatMap(flagsOf);

function project(tree: Tree, document: Document, includes: boolean): Document {
  const result = newDocument();
  for (const key in document) {
    const node = tree.get(key) ?? !includes;
    const value = typeof node === 'boolean' ? document[key] : projectIn(node, document[key], includes);
    if (node !== false && value !== undefined) result[key] = value;
  }
  return result;
}

function projectIn(tree: Tree, value: unknown, includes: boolean): unknown {
  if (isDocument(value)) return project(tree, value, includes);
  if (!Array.isArray(value)) return includes ? undefined : value;
  return value.map((element) => projectIn(tree, element, includes)).filter((each) => each !== undefined);
}
