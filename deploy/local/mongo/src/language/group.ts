import { fail, refuse } from './errors.js';
import { type Expression, parseExpression, type Variables } from './expression.js';
import { encodeValue } from './key.js';
import {
  type Document,
  documentOf,
  double,
  integer,
  isDocument,
  isInteger,
  isNumeric,
  newDocument,
  toNumber,
} from './values.js';
import { documentOfStage, type StageReader } from './stages.js';

interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

/** Adds numbers: exactly while they are integers, with compensation (Neumaier) while they are doubles. */
function sum(): Accumulator {
  let [integers, doubles, compensation] = [0n, 0, 0];
  let [hasLong, hasDouble] = [false, false];
  const addDouble = (value: number): void => {
    const next = doubles + value;
    if (Number.isFinite(next))
      compensation += Math.abs(doubles) >= Math.abs(value) ? doubles - next + value : value - next + doubles;
    doubles = next;
  };
  return {
    add(value) {
      if (!isNumeric(value)) return;
      if (isInteger(value)) {
        integers += BigInt(value);
        hasLong ||= typeof value === 'bigint';
      } else {
        hasDouble = true;
        addDouble(toNumber(value));
      }
    },
    result() {
      if (!hasDouble) return integer(integers, hasLong) ?? double(Number(integers));
      addDouble(Number(integers));
      return double(Number.isFinite(doubles) ? doubles + compensation : doubles);
    },
  };
}

/** The accumulators of `$group`. */
export const ACCUMULATORS: Readonly<Record<string, () => Accumulator>> = { $sum: sum };

interface Field {
  name: string;
  make: () => Accumulator;
  input: Expression;
}

function readField(name: string, specification: unknown, variables: Variables): Field {
  if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
  if (!isDocument(specification)) return fail(40234, `The field '${name}' must be an accumulator object`);
  const [operator, ...others] = Object.keys(specification);
  if (operator === undefined || others.length > 0)
    return fail(40238, `The field '${name}' must specify one accumulator`);
  if (!Object.hasOwn(ACCUMULATORS, operator)) refuse(`the accumulator ${operator}`);
  const operand = specification[operator];
  if (Array.isArray(operand)) fail(40237, `The ${operator} accumulator is a unary operator`);
  return { name, make: ACCUMULATORS[operator]!, input: parseExpression(operand, variables) };
}

/** Groups documents by a key; groups come in the order in which their keys were first seen. */
export const groupStage: StageReader = (specification, variables, name) => {
  const { _id, ...rest } = documentOfStage(specification, name, 15947);
  if (_id === undefined) fail(15955, 'a group specification must include an _id');
  const id = parseExpression(_id, variables);
  const fields = Object.entries(rest).map(([field, each]) => readField(field, each, variables));
  return function* (input) {
    const groups = new Map<string, { id: unknown; accumulators: Accumulator[] }>();
    for (const document of input) {
      const key = id(document) ?? null;
      const encoded = encodeValue(key);
      let group = groups.get(encoded);
      if (!group) groups.set(encoded, (group = { id: key, accumulators: fields.map(({ make }) => make()) }));
      for (const [i, accumulator] of group.accumulators.entries()) accumulator.add(fields[i]!.input(document));
    }
    for (const { id: key, accumulators } of groups.values()) {
      const result: Document = newDocument();
      result._id = key;
      fields.forEach((field, i) => (result[field.name] = accumulators[i]!.result()));
      yield result;
    }
  };
};

export const countStage: StageReader = (specification) => {
  if (typeof specification !== 'string' || specification === '')
    return fail(40156, 'the count field must be a non-empty string');
  if (specification.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (specification.includes('.')) fail(40160, "the count field cannot contain '.'");
  return function* (input) {
    let n = 0;
    for (const _ of input) n += 1;
    if (n > 0) yield documentOf({ [specification]: n });
  };
};
