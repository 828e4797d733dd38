import { Timestamp } from 'bson';
import { compareValues, identicalValues } from '../compare.js';
import { fail } from '../errors.js';
import { add, integer, isInfiniteOrNaN, multiply } from '../numeric.js';
import { show } from '../show.js';
import { type Document, double, isDocument, isNumeric, type Numeric, T, typeName, typeOf } from '../values.js';

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
  /** Of `$rename`: whether the document has the field to take the value from. */
  hasSource?: (document: Document) => boolean;
}

export type ModifierFactory = (argument: unknown, path: string) => Modifier;

const creating = (apply: Modifier['apply']): Modifier => ({ apply, creates: true });

const set: ModifierFactory = (argument) => creating((value) => (identicalValues(value, argument) ? value : argument));

const idOf = (target: Target): string => `{_id: ${show(target.document._id)}}`;

function arithmetic(
  name: '$inc' | '$mul',
  verb: string,
  missing: (argument: Numeric) => Numeric,
  combine: (a: Numeric, b: Numeric) => Numeric | undefined,
): ModifierFactory {
  return (argument, path) => {
    if (!isNumeric(argument))
      fail('TypeMismatch', `Cannot ${verb} with non-numeric argument: {${path}: ${show(argument)}}`);
    return creating((value, target) => {
      if (value === undefined) return missing(argument);
      if (!isNumeric(value)) {
        fail(
          'TypeMismatch',
          `Cannot apply ${name} to a value of non-numeric type. ${idOf(target)} has the field '${lastOf(target.path)}' of non-numeric type ${typeName(value)}`,
        );
      }
      const result = combine(value, argument);
      if (result === undefined)
        fail(
          'BadValue',
          `Failed to apply ${name} operations to current value (${show(value)}) for document ${idOf(target)}`,
        );
      return identicalValues(result, value) ? value : result;
    });
  };
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

function extreme(sign: 1 | -1): ModifierFactory {
  return (argument) =>
    creating((value) => (value === undefined || compareValues(argument, value) * sign > 0 ? argument : value));
}

const currentDate: ModifierFactory = (argument) => {
  const type = typeof argument === 'boolean' ? 'date' : currentDateType(argument);
  return creating(() => (type === 'date' ? new Date() : new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 })));
};

function currentDateType(argument: unknown): 'date' | 'timestamp' {
  if (!isDocument(argument)) {
    return fail(
      'BadValue',
      `${typeName(argument)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  for (const key in argument) if (key !== '$type') fail('BadValue', `Unrecognized $currentDate option: ${key}`);
  const type = argument.$type;
  if (type === 'date' || type === 'timestamp') return type;
  return fail(
    'BadValue',
    "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
  );
}

const BIT_OPERATIONS: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const isIntegral = (value: unknown): value is number | bigint => typeOf(value) === T.int || typeof value === 'bigint';

const bit: ModifierFactory = (argument) => {
  if (!isDocument(argument)) {
    return fail(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeName(argument)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  const steps = Object.entries(argument).map(([name, operand]) => {
    const operation =
      BIT_OPERATIONS[name] ??
      fail(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${show(argument)}}`,
      );
    if (!isIntegral(operand))
      fail(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(operand)}' is not supported here: ${show(argument)}`,
      );
    return { operation, operand: operand };
  });
  if (steps.length === 0)
    fail('BadValue', 'You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}');
  return creating((value, target) => {
    if (value !== undefined && !isIntegral(value)) {
      fail(
        'BadValue',
        `Cannot apply $bit to a value of non-integral type.${idOf(target)} has the field ${lastOf(target.path)} of non-integer type ${typeName(value)}`,
      );
    }
    let result: number | bigint = value === undefined ? 0 : value;
    for (const { operation, operand } of steps) {
      result = integer(
        operation(BigInt(result), BigInt(operand)),
        typeof result === 'bigint' || typeof operand === 'bigint',
      )!;
    }
    return result;
  });
};

/** A zero of the argument's type: what `$mul` makes of a missing field. */
const zeroLike = (argument: Numeric): Numeric => (isInfiniteOrNaN(argument) ? double(0) : multiply(argument, 0)!);

export const SCALAR_MODIFIERS: Record<string, ModifierFactory> = {
  $set: set,
  $setOnInsert: (argument, path) => ({ ...set(argument, path), insertOnly: true }),
  $unset: () => ({ apply: () => undefined, creates: false }),
  $inc: arithmetic('$inc', 'increment', (argument) => argument, add),
  $mul: arithmetic('$mul', 'multiply', zeroLike, multiply),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $bit: bit,
};
