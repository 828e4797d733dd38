import { fail, refuse } from './errors.js';
import { checkedParts, type Expression, parseExpression, type Variables } from './expression.js';
import { copyDocument, type Document, isDocument, isNumeric, isTrue, newDocument } from './values.js';

type Change = (document: Document) => Document;
/** The fields of a projection: those that stay or go whole, and those of which a part does. */
type Tree = Map<string, boolean | Tree>;

/** Reads a field whose value is no flag. Returns what it does to the projected document, computed from the original. */
type Special = (path: string, value: unknown) => (projected: Document, original: Document) => Document;

/** The operators of `find`'s projections. */
export const PROJECTION_OPERATORS: Readonly<Record<string, (operand: unknown, path: string) => Change>> = {
  $slice(operand, path) {
    const [skip, limit] = Array.isArray(operand) && operand.length === 2 ? (operand as [unknown, unknown]) : [];
    if (typeof skip !== 'number' || typeof limit !== 'number' || skip < 0) refuse('$slice other than [skip, limit]');
    if (path.includes('.')) refuse(`$slice at the path '${path}'`);
    if (limit <= 0) fail(28724, `The limit of $slice must be positive, but is ${limit}`);
    return (document) => {
      const value = document[path];
      return Array.isArray(value) ? withField(document, path, value.slice(skip, skip + limit)) : document;
    };
  },
};

/** Checks and compiles a projection of `find`: inclusion, exclusion, `$slice`. */
export function compileProjection(specification: Document): Change {
  return compile(specification, false, (path, value) => {
    const [operator, ...others] = isDocument(value) ? Object.keys(value) : [];
    if (operator === undefined || others.length > 0 || !Object.hasOwn(PROJECTION_OPERATORS, operator))
      return refuse(`the projection ${operator ?? String(value)} of '${path}'`);
    return PROJECTION_OPERATORS[operator]!((value as Document)[operator], path);
  });
}

/** Checks and compiles a `$project` stage: inclusion, exclusion, expressions. */
export function compileProjectStage(specification: Document, variables: Variables): Change {
  if (Object.keys(specification).length === 0)
    fail(51272, 'Invalid $project :: caused by :: projection specification must have at least one field');
  return compile(specification, true, (path, value) => computed(path, value, variables));
}

/** Checks and compiles a `$set` stage, in which every value is an expression: `1` is the number, not a flag. */
export function compileSetStage(specification: Document, variables: Variables): Change {
  const changes = Object.entries(specification).map(([path, value]) => computed(path, value, variables));
  return (document) => changes.reduce((changed, change) => change(changed, document), document);
}

function computed(path: string, value: unknown, variables: Variables): ReturnType<Special> {
  if (checkedParts(path).length > 1) refuse(`a computed field at the path '${path}'`);
  const expression: Expression = parseExpression(value, variables);
  return (document, original) => withField(document, path, expression(original));
}

function withField(document: Document, name: string, value: unknown): Document {
  const copy = copyDocument(document);
  if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

function compile(specification: Document, specialsInclude: boolean, special: Special): Change {
  const tree: Tree = new Map();
  const changes: ReturnType<Special>[] = [];
  const paths: string[] = [];
  for (const path in specification) {
    const value = specification[path];
    if (typeof value === 'boolean' || isNumeric(value)) addFlag(tree, path, isTrue(value));
    else {
      changes.push(special(path, value));
      paths.push(path);
    }
  }
  for (const path of paths) if (tree.has(path)) fail(31249, `Path collision at ${path}`);
  const includes = modeOf(tree, specialsInclude && paths.length > 0);
  if (includes && !specialsInclude) for (const path of paths) addFlag(tree, path, true);
  if (includes && !tree.has('_id')) tree.set('_id', true);
  return (document) => {
    const projected = includes ? include(tree, document) : exclude(tree, document);
    return changes.reduce((changed, change) => change(changed, document), projected);
  };
}

function addFlag(tree: Tree, path: string, keep: boolean): void {
  const parts = checkedParts(path);
  let at = tree;
  parts.forEach((part, i) => {
    const held = at.get(part);
    if (typeof held === 'boolean' || (held && i + 1 === parts.length)) fail(31249, `Path collision at ${path}`);
    const next: boolean | Tree = i + 1 === parts.length ? keep : (held ?? new Map());
    at.set(part, next);
    if (typeof next !== 'boolean') at = next;
  });
}

/** Whether the projection includes; all fields but `_id` must do the same. Throws 31253 or 31254 if they do not. */
function modeOf(tree: Tree, computes: boolean): boolean {
  const flags = [...tree].flatMap(([name, node]) => (name === '_id' ? [] : [...flagsOf(node)]));
  const includes = computes || (flags[0] ?? tree.get('_id') === true);
  if (flags.some((keep) => keep !== includes))
    fail(
      includes ? 31254 : 31253,
      `Cannot do ${includes ? 'exclusion in inclusion' : 'inclusion in exclusion'} projection`,
    );
  return includes;
}

function* flagsOf(node: boolean | Tree): Generator<boolean> {
  if (typeof node === 'boolean') yield node;
  else for (const child of node.values()) yield* flagsOf(child);
}

function include(tree: Tree, document: Document): Document {
  const result = newDocument();
  for (const key in document) {
    const node = tree.get(key);
    const value = node === true ? document[key] : node && includeIn(node, document[key]);
    if (node && value !== undefined) result[key] = value;
  }
  return result;
}

function includeIn(tree: Tree, value: unknown): unknown {
  if (isDocument(value)) return include(tree, value);
  return Array.isArray(value)
    ? value.map((element) => includeIn(tree, element)).filter((each) => each !== undefined)
    : undefined;
}

function exclude(tree: Tree, document: Document): Document {
  const result = newDocument();
  for (const key in document) {
    const node = tree.get(key);
    if (node !== false) result[key] = node instanceof Map ? excludeIn(node, document[key]) : document[key];
  }
  return result;
}

function excludeIn(tree: Tree, value: unknown): unknown {
  if (isDocument(value)) return exclude(tree, value);
  return Array.isArray(value) ? value.map((element) => excludeIn(tree, element)) : value;
}
