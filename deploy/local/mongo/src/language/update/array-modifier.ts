import { BSONRegExp } from 'bson';
import { compareValues, equalValues } from '../compare.js';
import { fail } from '../errors.js';
import { compileFilter } from '../filter.js';
import { isFieldOperator } from '../filter/operators.js';
import { show } from '../show.js';
import { compileSort } from '../sort.js';
import { documentOf, type Document, isDocument, isNumeric, T, toNumber, typeName, typeOf } from '../values.js';
import type { ModifierFactory, Target } from './modifier.js';

const CLAUSES = new Set(['$each', '$slice', '$sort', '$position']);

interface Push {
  values: unknown[];
  position?: number;
  slice?: number;
  compare?: (a: unknown, b: unknown) => number;
}

const push: ModifierFactory = (argument) => {
  const parsed = isDocument(argument) && '$each' in argument ? parsePush(argument) : { values: [argument] };
  return {
    creates: true,
    apply(value, target) {
      if (value !== undefined && !Array.isArray(value)) {
        fail(
          'BadValue',
          `The field '${target.path}' must be an array but is of type ${typeName(value)} in document {_id: ${show(target.document._id)}}`,
        );
      }
      return pushed((value as unknown[] | undefined) ?? [], parsed, value === undefined);
    },
  };
};

function pushed(array: unknown[], { values, position, slice, compare }: Push, isNew: boolean): unknown[] {
  const at = position === undefined ? array.length : position < 0 ? Math.max(0, array.length + position) : position;
  const result = [...array];
  result.splice(Math.min(at, array.length), 0, ...values);
  if (compare) result.sort(compare);
  const sliced = slice === undefined ? result : slice >= 0 ? result.slice(0, slice) : result.slice(slice);
  const same = !isNew && sliced.length === array.length && sliced.every((value, i) => value === array[i]);
  return same ? array : sliced;
}

function parsePush(argument: Document): Push {
  for (const key in argument) if (!CLAUSES.has(key)) fail('BadValue', `Unrecognized clause in $push: ${key}`);
  const { $each: each, $position, $slice, $sort } = argument;
  if (!Array.isArray(each))
    fail('BadValue', `The argument to $each in $push must be an array but it was of type: ${typeName(each)}`);
  return {
    values: each as unknown[],
    ...($position !== undefined && { position: integerClause('$position', $position) }),
    ...($slice !== undefined && { slice: integerClause('$slice', $slice) }),
    ...($sort !== undefined && { compare: sortClause($sort) }),
  };
}

function integerClause(name: string, value: unknown): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  if (!Number.isInteger(number))
    fail('BadValue', `The value for ${name} must be an integer value but was given type: ${typeName(value)}`);
  return number;
}

function sortClause(specification: unknown): (a: unknown, b: unknown) => number {
  const invalid = (): never =>
    fail(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  if (isNumeric(specification)) {
    const direction = toNumber(specification);
    if (direction !== 1 && direction !== -1) fail('BadValue', 'The $sort element value must be either 1 or -1');
    return (a, b) => direction * compareValues(a, b);
  }
  if (!isDocument(specification) || Object.keys(specification).length === 0) return invalid();
  for (const direction of Object.values(specification)) {
    if (!isNumeric(direction) || Math.abs(toNumber(direction)) !== 1)
      fail('BadValue', 'The $sort element value must be either 1 or -1');
  }
  const compare = compileSort(specification);
  const asDocument = (value: unknown): Document => (isDocument(value) ? value : {});
  return (a, b) => compare(asDocument(a), asDocument(b));
}

const addToSet: ModifierFactory = (argument) => {
  const values = isDocument(argument) && Object.keys(argument)[0] === '$each' ? eachOf(argument) : [argument];
  return {
    creates: true,
    apply(value, target) {
      if (value !== undefined && !Array.isArray(value)) {
        fail(
          'BadValue',
          `Cannot apply $addToSet to non-array field. Field named '${target.path}' has non-array type ${typeName(value)}`,
        );
      }
      const array = (value as unknown[] | undefined) ?? [];
      const result = [...array];
      for (const candidate of values) if (!result.some((held) => equalValues(held, candidate))) result.push(candidate);
      return value !== undefined && result.length === array.length ? array : result;
    },
  };
};

function eachOf(argument: Document): unknown[] {
  if (Object.keys(argument).length > 1)
    fail('BadValue', `Found unexpected fields after $each in $addToSet: ${show(argument)}`);
  if (!Array.isArray(argument.$each))
    fail(
      'TypeMismatch',
      `The argument to $each in $addToSet must be an array but it was of type ${typeName(argument.$each)}`,
    );
  return argument.$each as unknown[];
}

/** Removes what the test says from an array; what is no array is an error, a missing field is left alone. */
function removing(name: string, test: (element: unknown) => boolean): ReturnType<ModifierFactory> {
  return {
    creates: false,
    apply(value) {
      if (value === undefined) return value;
      if (!Array.isArray(value)) return fail('BadValue', `Cannot apply ${name} to a non-array value`);
      const array = value as unknown[];
      const kept = array.filter((element) => !test(element));
      return kept.length === array.length ? array : kept;
    },
  };
}

const pull: ModifierFactory = (argument) => {
  if (argument instanceof BSONRegExp || (isDocument(argument) && isFieldOperator(Object.keys(argument)[0]))) {
    // A condition on the element: the element is asked as if it were a field.
    const { matches } = compileFilter(documentOf({ element: argument }));
    return removing('$pull', (element) => matches(documentOf({ element })));
  }
  if (isDocument(argument)) {
    const { matches } = compileFilter(argument);
    return removing('$pull', (element) => isDocument(element) && matches(element));
  }
  return removing('$pull', (element) => equalValues(element, argument));
};

const pullAll: ModifierFactory = (argument) => {
  if (!Array.isArray(argument))
    return fail('BadValue', `$pullAll requires an array argument but was given a ${typeName(argument)}`);
  return removing('$pullAll', (element) => argument.some((value) => equalValues(value, element)));
};

const pop: ModifierFactory = (argument, path) => {
  if (!isNumeric(argument)) fail('FailedToParse', `Expected a number in: ${path}: ${show(argument)}`);
  const end = toNumber(argument);
  if (end !== 1 && end !== -1) fail('FailedToParse', `$pop expects 1 or -1, found: ${show(argument)}`);
  return {
    creates: false,
    apply(value, target: Target) {
      if (value === undefined) return value;
      if (typeOf(value) !== T.array)
        fail('TypeMismatch', `Path '${target.path}' contains an element of non-array type '${typeName(value)}'`);
      const array = value as unknown[];
      if (array.length === 0) return array;
      return end === 1 ? array.slice(0, -1) : array.slice(1);
    },
  };
};

export const ARRAY_MODIFIERS: Record<string, ModifierFactory> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};
