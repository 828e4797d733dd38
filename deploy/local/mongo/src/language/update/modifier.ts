import { BSONRegExp } from 'bson';
import { compareValues, equalValues, identicalValues } from '../compare.js';
import { fail, refuse, show } from '../errors.js';
import {
  type Document,
  double,
  integer,
  isDocument,
  isInteger,
  isNumeric,
  type Numeric,
  toNumber,
  typeName,
} from '../values.js';

/** What a modifier knows while it is applied. */
export interface Target {
  /** The whole document before the update. */
  document: Document;
  /** The path that is being changed, with array positions. */
  path: string;
}

/** Changes one value. The same value (by identity) back means nothing changed; `undefined` stands for "not there". */
export interface Modifier {
  apply(value: unknown, target: Target): unknown;
  /** Makes the field, and those on the way to it, where it is missing. */
  creates: boolean;
  /** Only takes part in an upsert's insert. */
  insertOnly?: boolean;
}

type ModifierFactory = (argument: unknown, path: string) => Modifier;

const creating = (apply: Modifier['apply']): Modifier => ({ apply, creates: true });

const set: ModifierFactory = (argument) => creating((value) => (identicalValues(value, argument) ? value : argument));

const idOf = (target: Target): string => `{_id: ${show(target.document._id)}}`;
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The sum in the wider type of the two; undefined if it is an integer that needs more than 64 bits. */
function add(a: Numeric, b: Numeric): Numeric | undefined {
  if (!isInteger(a) || !isInteger(b)) return double(toNumber(a) + toNumber(b));
  return integer(BigInt(a) + BigInt(b), typeof a === 'bigint' || typeof b === 'bigint');
}

const increment: ModifierFactory = (argument, path) => {
  if (!isNumeric(argument))
    return fail('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: ${show(argument)}}`);
  return creating((value, target) => {
    if (value === undefined) return argument;
    if (!isNumeric(value))
      return fail(
        'TypeMismatch',
        `Cannot apply $inc to a value of non-numeric type. ${idOf(target)} has the field '${lastOf(target.path)}' of non-numeric type ${typeName(value)}`,
      );
    const result =
      add(value, argument) ??
      fail(
        'BadValue',
        `Failed to apply $inc operations to current value (${show(value)}) for document ${idOf(target)}`,
      );
    return identicalValues(result, value) ? value : result;
  });
};

const extreme =
  (sign: 1 | -1): ModifierFactory =>
  (argument) =>
    creating((value) => (value === undefined || compareValues(argument, value) * sign > 0 ? argument : value));

const push: ModifierFactory = (argument) => {
  const { values, last } = isDocument(argument) && '$each' in argument ? clausesOf(argument) : { values: [argument] };
  return creating((value, target) => {
    if (value !== undefined && !Array.isArray(value))
      fail(
        'BadValue',
        `The field '${target.path}' must be an array but is of type ${typeName(value)} in document ${idOf(target)}`,
      );
    const array = [...((value as unknown[] | undefined) ?? []), ...values];
    return last === undefined ? array : array.slice(-last);
  });
};

/** The values of `{ $each, $slice }`, and how many elements are kept at the end. */
function clausesOf(argument: Document): { values: unknown[]; last?: number } {
  const { $each: each, $slice: slice, ...others } = argument;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`the clause ${unknown} of $push`);
  if (!Array.isArray(each) || each.length === 0) return refuse('$each of $push other than a list of values');
  if (slice === undefined) return { values: each };
  if (typeof slice !== 'number' || !Number.isInteger(slice) || slice >= 0)
    return refuse('$slice of $push other than a negative number');
  return { values: each, last: -slice };
}

const pull: ModifierFactory = (argument) => {
  if (isDocument(argument) || argument instanceof BSONRegExp) refuse('a condition of $pull');
  return {
    creates: false,
    apply(value) {
      if (value === undefined) return value;
      if (!Array.isArray(value)) return fail('BadValue', 'Cannot apply $pull to a non-array value');
      const array = value as unknown[];
      const kept = array.filter((element) => !equalValues(element, argument));
      return kept.length === array.length ? array : kept;
    },
  };
};

/** The update operators. */
export const MODIFIERS: Readonly<Record<string, ModifierFactory>> = {
  $set: set,
  $setOnInsert: (argument, path) => ({ ...set(argument, path), insertOnly: true }),
  $unset: () => ({ apply: () => undefined, creates: false }),
  $inc: increment,
  $min: extreme(-1),
  $max: extreme(1),
  $push: push,
  $pull: pull,
};
