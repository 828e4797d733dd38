/** Random documents, filters, sorts and updates that the model supports. */
import fc from 'fast-check';
import type { Change, Fields, Filter, Sort, Value } from './model.test.fixtures.js';

const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom('', 'a', 'ab', 'b'),
  fc.constantFrom(null, true, 0.5),
);
const small = fc.dictionary(fc.constantFrom('x', 'y'), scalar, {
  maxKeys: 2,
  noNullPrototype: true,
}) as fc.Arbitrary<Fields>;
const anything: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  small,
  fc.array(fc.oneof(small, scalar), { maxLength: 3 }),
);
/** `n`, `c` and `c.x` never hold an array: the engine rejects sorts by arrays and paths through them. */
export const fields: fc.Arbitrary<Fields> = fc.record(
  { a: anything, b: anything, c: fc.oneof(small, scalar), n: scalar },
  { requiredKeys: [] },
);

const path = fc.constantFrom('a', 'b', 'c', 'c.x', 'n');
const range = fc.record({ operator: fc.constantFrom('$gt', '$gte', '$lt', '$lte'), value: scalar });
const condition: fc.Arbitrary<unknown> = fc.oneof(
  anything,
  range.map(({ operator, value }) => ({ [operator]: value })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.array(anything, { maxLength: 3 }).map((values) => ({ $in: values })),
  fc.array(scalar, { maxLength: 2 }).map((values) => ({ $nin: values })),
  fc.array(scalar, { maxLength: 2 }).map((values) => ({ $all: values })),
  anything.map((value) => ({ $ne: value })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.constantFrom('^a', '^ab', '^').map((pattern) => ({ $regex: pattern })),
  fc.constantFrom('null', 'bool', 'string', 'object', 'array').map((type) => ({ $type: type })),
);
const simple: fc.Arbitrary<Filter> = fc.dictionary(path, condition, { maxKeys: 2, noNullPrototype: true });
export const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 4, arbitrary: simple },
  fc
    .tuple(simple, fc.constantFrom('$or', '$and'), fc.array(simple, { minLength: 1, maxLength: 3 }))
    .map(([rest, operator, branches]) => ({ ...rest, [operator]: branches })),
);
export const sort: fc.Arbitrary<Sort> = fc
  .dictionary(fc.constantFrom('c', 'c.x', 'n'), fc.constantFrom<1 | -1>(1, -1), { maxKeys: 2, noNullPrototype: true })
  .map((parts) => ({ ...parts, _id: 1 as const }));
export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('$set', '$push', '$pull', '$max', '$min'),
    path: fc.constantFrom('a', 'b'),
    value: scalar,
  }),
  fc.record({ operator: fc.constantFrom('$max', '$min'), path: fc.constant('c.x'), value: scalar }),
  fc.record({
    operator: fc.constant('$inc'),
    path: fc.constantFrom('a', 'c.x', 'n'),
    value: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ operator: fc.constant('$set'), path: fc.constant('a'), value: anything }),
  fc.record({ operator: fc.constant('$set'), path: fc.constant('c'), value: fc.oneof(small, scalar) }),
  fc.record({ operator: fc.constantFrom('$set', '$unset'), path: fc.constantFrom('n', 'b', 'c.x'), value: scalar }),
);
export const updateOf = ({ operator, path: at, value }: Change): Filter => ({
  [operator]: { [at]: operator === '$unset' ? '' : value },
});

export const INDEXES: { key: Sort; options?: object }[] = [
  { key: { a: 1 } },
  { key: { b: -1 } },
  { key: { 'c.x': 1 } },
  { key: { n: 1, a: -1 } },
  { key: { n: -1, 'c.x': 1 } },
  { key: { a: 1, n: 1 }, options: { name: 'partial', partialFilterExpression: { n: { $gt: 0 } } } },
  { key: { b: 1 }, options: { name: 'sparse', sparse: true } },
];
