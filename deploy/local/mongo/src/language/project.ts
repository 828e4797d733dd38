import { fail, refuse } from './errors.js';
import { bindVariables, scopeOf } from './expression.js';
import type { Filter } from './filter.js';
import { mapArrays, readElemMatch, readSlice } from './projection/find-operators.js';
import { addLeaf, checkedParts, modeOf, project, type ProjectionTree, readTree } from './projection/tree.js';
import { copyDocument, type Document, isDocument } from './values.js';

export interface ProjectionOptions {
  /** The command's `let`: values of `$$name`. */
  let?: Document | undefined;
  /** The query's filter, for the positional projection `a.$`. */
  filter?: Filter;
}

type Change = (projected: Document, original: Document) => Document;

/** Checks and compiles a projection of `find`: inclusion, exclusion, expressions, `$slice`, `$elemMatch`, positional. */
export function compileProjection(
  specification: Document,
  options: ProjectionOptions = {},
): (document: Document) => Document {
  const variables = bindVariables(options.let);
  const changes: Change[] = [];
  const matched: Change[] = [];
  const sliced: string[] = [];
  const positional: string[] = [];
  const tree = readTree(specification, scopeOf(variables), (path, value) => {
    const slice = readSlice(value);
    const elemMatch = readElemMatch(path, value);
    if (slice) {
      sliced.push(path);
      changes.push((document) => mapArrays(document, path.split('.'), slice));
    } else if (elemMatch) matched.push((document, original) => withField(document, path, elemMatch(original[path])));
    else if (path.endsWith('.$') || path === '$') positional.push(path);
    else if (isDocument(value) && '$meta' in value) refuse('$meta in a projection');
    else return false;
    return true;
  });
  addPositional(positional, tree, changes, options.filter);
  const mode = matched.length > 0 && onlyId(tree) ? 'inclusion' : modeOf(tree);
  if (matched.length > 0 && mode === 'exclusion')
    fail(31255, 'Cannot use $elemMatch projection in exclusion projection');
  // A sliced field counts as included; in an exclusion it is simply there.
  for (const path of sliced) {
    checkedParts(path);
    if (mode === 'inclusion') addLeaf(tree, path, 'keep');
  }
  return withId(tree, mode, (document) => {
    const start = project(tree, mode, document, variables);
    return [...changes, ...matched].reduce((result, change) => change(result, document), start);
  });
}

const onlyId = (tree: ProjectionTree): boolean => [...tree.children.keys()].every((name) => name === '_id');

/** `_id` belongs to an inclusion unless it says otherwise. */
function withId(
  tree: ProjectionTree,
  mode: string,
  apply: (document: Document) => Document,
): (document: Document) => Document {
  if (mode === 'inclusion' && !tree.children.has('_id')) tree.children = new Map([['_id', 'keep'], ...tree.children]);
  return apply;
}

function withField(document: Document, name: string, value: unknown): Document {
  const copy = copyDocument(document);
  if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

function addPositional(paths: string[], tree: ProjectionTree, changes: Change[], filter: Filter | undefined): void {
  if (paths.length === 0) return;
  if (paths.length > 1) fail(31276, 'Cannot specify more than one positional projection per query.');
  const path = paths[0]!.slice(0, -2);
  addLeaf(tree, path, 'keep');
  changes.push((projected, original) => {
    const position =
      filter?.position(original) ??
      fail(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    return mapArrays(projected, path.split('.'), (array) => array.slice(Number(position), Number(position) + 1));
  });
}
