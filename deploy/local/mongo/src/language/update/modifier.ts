import { BSONRegExp } from 'bson';
import { compareValues, equalValues, identicalValues } from '../compare.js';
import { fail, unsupported, show } from '../errors.js';
import { addIntegers, type Document, double, isDocument, isInteger, isNumeric, toNumber, typeName } from '../values.js';

export interface Target {
  document: Document;
  path: string;
}

/** An update operator with its argument, which changes one value. */
export interface Modifier {
  /**
   * Returns the new value, or the same one (by identity) if nothing changes; `undefined` stands for a missing field.
   */
  apply(value: unknown, target: Target): unknown;
  /** Whether the field and its parents are created if they are missing. */
  creates: boolean;
  /** Whether the operator is applied only when an upsert inserts a document. */
  insertOnly?: boolean;
}

type ModifierFactory = (argument: unknown, path: string) => Modifier;

const creating = (apply: Modifier['apply']): Modifier => ({ apply, creates: true });

const set = (argument: unknown): Modifier => creating((value) => (identicalValues(value, argument) ? value : argument));

const idOf = (target: Target): string => `{_id: ${show(target.document._id)}}`;

const increment: ModifierFactory = (argument, path) => {
  if (!isNumeric(argument)) return fail('TypeMismatch', `Cannot increment ${path} with ${show(argument)}`);
  return creating((value, target) => {
    if (value === undefined) return argument;
    const detail = `of non-numeric type ${typeName(value)} at ${path} of ${idOf(target)}`;
    if (!isNumeric(value)) return fail('TypeMismatch', `Cannot apply $inc to a value ${detail}`);
    const areIntegers = isInteger(value) && isInteger(argument);
    const sum = areIntegers ? addIntegers(value, argument) : double(toNumber(value) + toNumber(argument));
    if (sum === undefined) fail('BadValue', `the $inc of ${path} of ${idOf(target)} exceeds 64 bits`);
    return identicalValues(sum, value) ? value : sum;
  });
};

const extreme =
  (sign: 1 | -1): ModifierFactory =>
  (argument) =>
    creating((value) => (value === undefined || compareValues(argument, value) * sign > 0 ? argument : value));

const push: ModifierFactory = (argument) => {
  const { values, last } = isDocument(argument) && '$each' in argument ? clausesOf(argument) : { values: [argument] };
  return creating((value = [], target) => {
    if (!Array.isArray(value)) return fail('BadValue', `'${target.path}' of ${idOf(target)} must be an array`);
    const array = [...(value as unknown[]), ...values];
    return last === undefined ? array : array.slice(-last);
  });
};

/** Returns the values of `$each`, and the number of elements at the end of the array that `$slice` keeps. */
function clausesOf({ $each: each, $slice: slice, ...others }: Document): { values: unknown[]; last?: number } {
  const isSupported = Array.isArray(each) && Number.isInteger(slice) && (slice as number) < 0;
  if (!isSupported || Object.keys(others).length > 0)
    return unsupported('$push with modifiers other than $each together with a negative $slice');
  return { values: each, last: -(slice as number) };
}

const pull: ModifierFactory = (argument) => {
  if (isDocument(argument) || argument instanceof BSONRegExp) unsupported('a condition of $pull');
  const apply = (value: unknown): unknown => {
    if (value === undefined) return value;
    if (!Array.isArray(value)) return fail('BadValue', 'Cannot apply $pull to a non-array value');
    const kept = value.filter((element) => !equalValues(element, argument));
    return kept.length === value.length ? value : kept;
  };
  return { apply, creates: false };
};

export const MODIFIERS: Readonly<Record<string, ModifierFactory>> = {
  $set: set,
  $setOnInsert: (argument) => ({ ...set(argument), insertOnly: true }),
  $unset: () => ({ apply: () => undefined, creates: false }),
  $inc: increment,
  $min: extreme(-1),
  $max: extreme(1),
  $push: push,
  $pull: pull,
};
