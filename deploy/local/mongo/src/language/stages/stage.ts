import { fail } from '../errors.js';
import type { Variables } from '../expression.js';
import { type Document, isDocument, isNumeric, toNumber, typeName } from '../values.js';

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
