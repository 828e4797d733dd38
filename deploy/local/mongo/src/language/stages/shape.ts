import { fail } from '../errors.js';
import { parseExpression } from '../expression.js';
import { addLeaf, modeOf, newTree, project, readTree } from '../projection/tree.js';
import { type Document, isDocument, isNumeric, newDocument, toNumber, typeName } from '../values.js';
import type { Stage, StageReader, StageTable } from './stage.js';

/** Stages that turn each document into another one. */

export function* map(input: Iterable<Document>, change: (document: Document) => Document): Iterable<Document> {
  for (const document of input) yield change(document);
}

function specificationOf(specification: unknown, name: string, code: number): Document {
  return isDocument(specification)
    ? specification
    : fail(code, `${name} specification stage must be an object, got ${typeName(specification)}`);
}

const projectStage: StageReader = (specification, { scope }, name) => {
  const fields = specificationOf(specification, name, 15969);
  if (Object.keys(fields).length === 0)
    fail(51272, 'Invalid $project :: caused by :: projection specification must have at least one field');
  const tree = readTree(fields, scope);
  const mode = modeOf(tree);
  if (mode === 'inclusion' && !tree.children.has('_id')) tree.children = new Map([['_id', 'keep'], ...tree.children]);
  return (input, _host, variables) => map(input, (document) => project(tree, mode, document, variables));
};

/** In `$set` every value is an expression: `1` is the number, not a flag. */
const setStage: StageReader = (specification, { scope }, name) => {
  const fields = specificationOf(specification, name, 40272);
  if (Object.keys(fields).length === 0)
    fail(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
  const tree = newTree();
  const read = (document: Document, prefix: string): void => {
    for (const key in document) {
      const value = document[key];
      const nested = isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]!.startsWith('$');
      if (nested) read(value, `${prefix}${key}.`);
      else addLeaf(tree, prefix + key, { expression: parseExpression(value, scope) });
    }
  };
  read(fields, '');
  return (input, _host, variables) => map(input, (document) => project(tree, 'addition', document, variables));
};

const unsetStage: StageReader = (specification) => {
  const paths = Array.isArray(specification) ? (specification as unknown[]) : [specification];
  if (paths.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  const tree = newTree();
  for (const path of paths)
    addLeaf(
      tree,
      typeof path === 'string'
        ? path
        : fail(31120, '$unset specification must be a string or an array containing only string values'),
      'drop',
    );
  return (input, _host, variables) => map(input, (document) => project(tree, 'exclusion', document, variables));
};

function replaceBy(expressionOf: (specification: unknown) => unknown): StageReader {
  return (specification, { scope }, name): Stage => {
    const expression = parseExpression(expressionOf(specification), scope);
    return (input, _host, variables) =>
      map(input, (document) => {
        const root = expression(document, variables);
        return isDocument(root)
          ? root
          : fail(
              40228,
              `'newRoot' expression ${name === '$replaceRoot' ? '' : 'of $replaceWith '}must evaluate to an object, but resulting value was of type: '${typeName(root)}'`,
            );
      });
  };
}

function newRootOf(specification: unknown): unknown {
  if (!isDocument(specification))
    return fail(40229, `expected an object as specification for $replaceRoot stage, got ${typeName(specification)}`);
  for (const key in specification)
    if (key !== 'newRoot') fail(40415, `BSON field '$replaceRoot.${key}' is an unknown field.`);
  return 'newRoot' in specification
    ? specification.newRoot
    : fail(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
}

interface Unwind {
  parts: string[];
  index?: string;
  keepEmpty: boolean;
}

function readUnwind(specification: unknown): Unwind {
  const options: Document = isDocument(specification) ? specification : { path: specification };
  for (const key in options)
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key))
      fail(28811, `unrecognized option to $unwind stage: ${key}`);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: keepEmpty = false } = options;
  if (typeof path !== 'string')
    return fail(28808, `expected a string as the path for $unwind stage, got ${typeName(path)}`);
  if (!path.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  if (typeof keepEmpty !== 'boolean')
    fail(28809, 'expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage');
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    fail(28810, 'expected a non-empty string for the includeArrayIndex  option to $unwind stage');
  return { parts: path.slice(1).split('.'), keepEmpty: keepEmpty, ...(index !== undefined && { index: index }) };
}

const unwindStage: StageReader = (specification) => {
  const unwind = readUnwind(specification);
  return function* (input) {
    for (const document of input) yield* unwound(document, unwind);
  };
};

function* unwound(document: Document, { parts, index, keepEmpty }: Unwind): Iterable<Document> {
  const value = parts.reduce<unknown>((at, part) => (isDocument(at) ? at[part] : undefined), document);
  const withIndex = (result: Document, k: bigint | null): Document =>
    index === undefined ? result : (put(result, index.split('.'), k) as Document);
  if (Array.isArray(value) && value.length > 0) {
    for (const [k, element] of value.entries()) yield withIndex(put(document, parts, element) as Document, BigInt(k));
  } else if (Array.isArray(value)) {
    if (keepEmpty) yield withIndex(put(document, parts, undefined) as Document, null);
  } else if (keepEmpty || (value !== null && value !== undefined)) yield withIndex(document, null);
}

/** A copy of a document with another value at a path of documents. */
export function put(document: unknown, parts: readonly string[], value: unknown): unknown {
  if (parts.length === 0) return value;
  const [name, ...rest] = parts as [string, ...string[]];
  const copy: Document = Object.assign(newDocument(), isDocument(document) ? document : {});
  const inner = put(copy[name], rest, value);
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}

const redactStage: StageReader = (specification, { scope }) => {
  const expression = parseExpression(specification, new Set([...scope, 'CURRENT']));
  return function* (input, _host, variables) {
    for (const document of input) {
      const redact = (current: Document): Document | undefined => {
        const decision = expression(
          document,
          Object.assign(Object.create(variables) as Document, { CURRENT: current }),
        );
        if (decision === '$$KEEP') return current;
        if (decision === '$$PRUNE') return undefined;
        if (decision !== '$$DESCEND')
          return fail(17053, '$redact must evaluate to one of $$DESCEND, $$PRUNE, or $$KEEP');
        const result = newDocument();
        for (const key in current) {
          const value = redactValue(current[key], redact);
          if (value !== undefined) result[key] = value;
        }
        return result;
      };
      const kept = redact(document);
      if (kept) yield kept;
    }
  };
};

function redactValue(value: unknown, redact: (document: Document) => Document | undefined): unknown {
  if (isDocument(value)) return redact(value);
  return Array.isArray(value)
    ? value.map((element) => redactValue(element, redact)).filter((element) => element !== undefined)
    : value;
}

export function count(value: unknown, name: string, code: number, least: number): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  if (!Number.isInteger(number))
    fail(code, `invalid argument to ${name} stage: Expected an integer: ${name}: ${String(value)}`);
  return number < least
    ? fail(
        least === 1 ? 15958 : code,
        least === 1
          ? 'the limit must be positive'
          : `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${number}`,
      )
    : number;
}

export const SHAPES: StageTable = {
  $project: projectStage,
  $set: setStage,
  $addFields: setStage,
  $unset: unsetStage,
  $replaceRoot: replaceBy(newRootOf),
  $replaceWith: replaceBy((specification) => specification),
  $unwind: unwindStage,
  $redact: redactStage,
};
