import { fail, refuse } from './errors.js';
import { parseExpression, type Variables } from './expression.js';
import { compileFilter } from './filter.js';
import { compileProjectStage, compileSetStage } from './project.js';
import { compileSort } from './sort.js';
import { type Document, isDocument, isNumeric, toNumber, typeName } from './values.js';

/** A stage ready to run; documents pass lazily where the stage allows. */
export type Stage = (input: Iterable<Document>) => Iterable<Document>;
export type StageReader = (specification: unknown, variables: Variables, name: string) => Stage;

/** The specification of a stage that is a document. Throws `code` if it is none. */
export function documentOfStage(specification: unknown, name: string, code: number): Document {
  if (isDocument(specification)) return specification;
  return fail(code, `the specification of ${name} must be an object, but is ${typeName(specification)}`);
}

/** A whole number of at least `least`. Throws `code` if it is none. */
export function countOfStage(value: unknown, name: string, code: number, least: number): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  if (Number.isInteger(number) && number >= least) return number;
  return fail(code, `invalid argument to ${name} stage: expected an integer of at least ${least}: ${String(value)}`);
}

export const matchStage: StageReader = (specification, variables, name) => {
  const { matches } = compileFilter(documentOfStage(specification, name, 15959), variables);
  return function* (input) {
    for (const document of input) if (matches(document)) yield document;
  };
};

export const sortStage: StageReader = (specification, _variables, name) => {
  const sort = documentOfStage(specification, name, 15973);
  if (Object.keys(sort).length === 0) fail(15976, '$sort stage must have at least one sort key');
  const compare = compileSort(sort);
  return (input) => [...input].sort(compare);
};

export const limitStage: StageReader = (specification, _variables, name) => {
  const limit = countOfStage(specification, name, 15958, 1);
  return function* (input) {
    let left = limit;
    for (const document of input) {
      yield document;
      left -= 1;
      if (left === 0) return;
    }
  };
};

export const skipStage: StageReader = (specification, _variables, name) => {
  const skip = countOfStage(specification, name, 5107200, 0);
  return function* (input) {
    let left = skip;
    for (const document of input) {
      if (left > 0) left -= 1;
      else yield document;
    }
  };
};

const mapping = (change: (document: Document) => Document): Stage =>
  function* (input) {
    for (const document of input) yield change(document);
  };

const projectStage: StageReader = (specification, variables, name) =>
  mapping(compileProjectStage(documentOfStage(specification, name, 15969), variables));

const setStage: StageReader = (specification, variables, name) =>
  mapping(compileSetStage(documentOfStage(specification, name, 40272), variables));

function replaceBy(newRoot: unknown, variables: Variables, name: string): Stage {
  const expression = parseExpression(newRoot, variables);
  return mapping((document) => {
    const root = expression(document);
    if (isDocument(root)) return root;
    return fail(
      40228,
      `the new root of ${name} must evaluate to an object, but resulting value was of type: '${typeName(root)}'`,
    );
  });
}

/** The stages that turn each document into another one: an update may have these and no others. */
export const SHAPES: Readonly<Record<string, StageReader>> = {
  $project: projectStage,
  $set: setStage,
  $addFields: setStage,
  $replaceWith: replaceBy,
  $replaceRoot(specification, variables, name) {
    const { newRoot, ...others } = documentOfStage(specification, name, 40229);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) refuse(`the option '${unknown}' of ${name}`);
    return replaceBy(newRoot, variables, name);
  },
};
