import { fail } from '../errors.js';
import { compileFilter, type Filter } from '../filter.js';
import { parseSort, sortDocuments } from '../sort.js';
import type { Variables } from '../expression.js';
import { isDocument, typeName } from '../values.js';
import { count } from './shape.js';
import type { StageReader, StageTable } from './stage.js';

/** Stages that choose and order documents. */

const matchStage: StageReader = (specification, { scope }) => {
  if (!isDocument(specification)) return fail(15959, 'the match filter must be an expression in an object');
  // Checked once with the names of its variables; `$expr` sees their values when the stage runs.
  const names: Variables = Object.fromEntries([...scope].map((name) => [name, null]));
  const fixed = compileFilter(specification, { variables: names });
  const bound = usesExpressions(specification);
  return function* (input, _host, variables) {
    const filter: Filter = bound ? compileFilter(specification, { variables: flattened(variables, scope) }) : fixed;
    for (const document of input) if (filter.matches(document)) yield document;
  };
};

function usesExpressions(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(usesExpressions);
  return isDocument(value) && Object.entries(value).some(([key, inner]) => key === '$expr' || usesExpressions(inner));
}

const flattened = (variables: Variables, scope: Iterable<string>): Variables =>
  Object.fromEntries([...scope].map((name) => [name, variables[name]]));

const sortStage: StageReader = (specification) => {
  if (!isDocument(specification))
    return fail(15973, `the $sort key specification must be an object, but found ${typeName(specification)}`);
  if (parseSort(specification).length === 0) fail(15976, '$sort stage must have at least one sort key');
  return (input) => sortDocuments(input, specification);
};

const limitStage: StageReader = (specification, _context, name) => {
  const limit = count(specification, name, 5107201, 1);
  return function* (input) {
    let left = limit;
    for (const document of input) {
      yield document;
      left -= 1;
      if (left === 0) return;
    }
  };
};

const skipStage: StageReader = (specification, _context, name) => {
  const skip = count(specification, name, 5107200, 0);
  return function* (input) {
    let left = skip;
    for (const document of input) {
      if (left > 0) left -= 1;
      else yield document;
    }
  };
};

export const SELECTIONS: StageTable = { $match: matchStage, $sort: sortStage, $limit: limitStage, $skip: skipStage };
