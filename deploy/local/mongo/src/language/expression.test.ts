import { describe, expect, test } from '@jest/globals';
import { Binary, Decimal128, Double, Long, ObjectId } from 'bson';
import { doc, expectDocument, expectError } from './bson.test.fixtures.js';
import { bindVariables, parseExpression, scopeOf } from './expression.js';
import { documentOf } from './values.js';

type Fields = Record<string, unknown>;

const evaluate = (expression: unknown, root: Fields = {}, values?: Fields): unknown => {
  const variables = bindVariables(values && doc(values));
  return parseExpression(doc({ e: expression }).e, scopeOf(variables))(doc(root), variables);
};

const MISSING = Symbol('missing');

/** Expects a value of exactly that type; MISSING for none. */
const expectValue = (expression: unknown, expected: unknown, root?: Fields): void => {
  const result = evaluate(expression, root);
  if (expected === MISSING) expect(result).toBeUndefined();
  else expectDocument(documentOf({ result }), { result: expected });
};

const long = (value: number | string): Long => Long.fromString(String(value));
const dec = (text: string): Decimal128 => Decimal128.fromString(text);
const date = (text: string): Date => new Date(text);
const ROOT = { a: 5, b: { c: [{ d: 1 }, { d: 2 }, { e: 3 }, 4] }, s: 'text', n: null, list: [3, 1, 2] };

describe('paths and literals', () => {
  test.each<[unknown, unknown]>([
    ['$a', 5],
    ['$b.c.d', [1, 2]],
    ['$list.0', []],
    ['$missing', MISSING],
    ['$n.x', MISSING],
    ['$a.x', MISSING],
    ['$$ROOT.a', 5],
    ['$$CURRENT.s', 'text'],
    ['$$REMOVE', MISSING],
    ['plain', 'plain'],
    [{ $literal: '$a' }, '$a'],
    [
      { x: '$a', y: '$missing', z: { w: '$s' } },
      { x: 5, z: { w: 'text' } },
    ],
    [
      ['$a', '$missing'],
      [5, null],
    ],
    [{ $let: { vars: { x: '$a', y: 2 }, in: { $add: ['$$x', '$$y'] } } }, 7],
    [{ $let: { vars: { x: '$b' }, in: '$$x.c.d' } }, [1, 2]],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('arithmetic', () => {
  test.each<[unknown, unknown]>([
    [{ $add: [1, 2] }, 3],
    [{ $add: [2147483647, 1] }, long('2147483648')],
    [{ $add: [long('9223372036854775807'), 1] }, 2 ** 63],
    [{ $add: [1, new Double(2)] }, new Double(3)],
    [{ $add: [1, null] }, null],
    [{ $add: [1, '$missing'] }, null],
    [{ $add: [date('2020-01-01T00:00:00Z'), 1000] }, date('2020-01-01T00:00:01Z')],
    [{ $add: [] }, 0],
    [{ $subtract: [5, 7] }, -2],
    [{ $subtract: [date('2020-01-02T00:00:00Z'), date('2020-01-01T00:00:00Z')] }, long(86400000)],
    [{ $subtract: [date('2020-01-02T00:00:00Z'), 86400000] }, date('2020-01-01T00:00:00Z')],
    [{ $multiply: [3, 4] }, 12],
    [{ $multiply: [1.5, 2] }, new Double(3)],
    [{ $divide: [6, 3] }, new Double(2)],
    [{ $divide: [1, null] }, null],
    [{ $mod: [7, 3] }, 1],
    [{ $mod: [-7, 3] }, -1],
    [{ $mod: [7.5, 2] }, 1.5],
    [{ $abs: -5 }, 5],
    [{ $abs: dec('-5.5') }, dec('5.5')],
    [{ $ceil: 1.2 }, new Double(2)],
    [{ $floor: -1.2 }, new Double(-2)],
    [{ $floor: 3 }, 3],
    [{ $floor: dec('2.7') }, dec('2')],
    [{ $round: 2.5 }, new Double(2)],
    [{ $round: 3.5 }, new Double(4)],
    [{ $round: [2.675, 2] }, 2.68],
    [{ $round: [1234, -2] }, 1200],
    [{ $round: [dec('2.345'), 2] }, dec('2.34')],
    [{ $trunc: [-2.789, 1] }, -2.7],
    [{ $trunc: 2.7 }, new Double(2)],
    [{ $pow: [2, 10] }, 1024],
    [{ $pow: [2, 40] }, long(2 ** 40)],
    [{ $pow: [2, 64] }, 2 ** 64],
    [{ $pow: [2, -1] }, 0.5],
    [{ $sqrt: 16 }, new Double(4)],
    [{ $exp: 0 }, new Double(1)],
    [{ $ln: 1 }, new Double(0)],
    [{ $log: [8, 2] }, new Double(3)],
    [{ $log10: 100 }, new Double(2)],
    [{ $bitAnd: [6, 3] }, 2],
    [{ $bitOr: [6, long(1)] }, long(7)],
    [{ $bitXor: [6, 3] }, 5],
    [{ $bitNot: 5 }, -6],
    [{ $sin: 0 }, new Double(0)],
    [{ $sum: [1, 2, 'x', null] }, 3],
    [{ $sum: '$list' }, 6],
    [{ $avg: '$list' }, new Double(2)],
    [{ $max: '$list' }, 3],
    [{ $min: [5, '$a', 2, null] }, 2],
    [{ $avg: ['x'] }, null],
    [{ $stdDevPop: [1, 3] }, new Double(1)],
    [{ $stdDevSamp: [1] }, null],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('comparison and conditions', () => {
  test.each<[unknown, unknown]>([
    [{ $eq: [1, new Double(1)] }, true],
    [{ $eq: ['$missing', null] }, false],
    [{ $lt: ['$missing', null] }, true],
    [{ $gt: ['x', 5] }, true],
    [{ $gte: [5, 5] }, true],
    [{ $lte: [5, 4] }, false],
    [{ $ne: [[1], [1]] }, false],
    [{ $cmp: ['a', 'b'] }, -1],
    [{ $and: [1, 'x', []] }, true],
    [{ $and: [] }, true],
    [{ $and: [1, 0] }, false],
    [{ $or: [null, 0, '$missing'] }, false],
    [{ $or: [] }, false],
    [{ $not: [0] }, true],
    [{ $not: '$a' }, false],
    [{ $cond: [{ $gt: ['$a', 3] }, 'y', 'n'] }, 'y'],
    [{ $cond: { else: 'n', if: false, then: 'y' } }, 'n'],
    [{ $cond: [true, '$$REMOVE', 1] }, MISSING],
    [{ $ifNull: ['$missing', '$n', 7] }, 7],
    [{ $ifNull: ['$missing', '$n'] }, null],
    [
      {
        $switch: {
          branches: [
            { case: false, then: 1 },
            { case: true, then: 2 },
          ],
          default: 3,
        },
      },
      2,
    ],
    [{ $switch: { branches: [{ case: false, then: 1 }], default: 3 } }, 3],
    // Errors in operands that are never reached do not arise.
    [{ $and: [false, { $divide: [1, 0] }] }, false],
    [{ $cond: [true, 1, { $divide: [1, 0] }] }, 1],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('arrays', () => {
  test.each<[unknown, unknown]>([
    [{ $arrayElemAt: ['$list', 0] }, 3],
    [{ $arrayElemAt: ['$list', -1] }, 2],
    [{ $arrayElemAt: ['$list', 9] }, MISSING],
    [{ $arrayElemAt: [null, 0] }, null],
    [{ $first: '$list' }, 3],
    [{ $last: '$list' }, 2],
    [{ $first: [[]] }, MISSING],
    [{ $concatArrays: ['$list', [9]] }, [3, 1, 2, 9]],
    [{ $concatArrays: ['$list', null] }, null],
    [{ $filter: { input: '$list', cond: { $gt: ['$$this', 1] } } }, [3, 2]],
    [{ $filter: { input: '$list', as: 'x', cond: { $gt: ['$$x', 0] }, limit: 2 } }, [3, 1]],
    [{ $map: { input: '$list', as: 'x', in: { $add: ['$$x', '$a'] } } }, [8, 6, 7]],
    [{ $map: { input: '$b.c', in: '$$this.d' } }, [1, 2, null, null]],
    [{ $map: { input: '$missing', in: 1 } }, null],
    [{ $reduce: { input: '$list', initialValue: 10, in: { $add: ['$$value', '$$this'] } } }, 16],
    [{ $in: [3, '$list'] }, true],
    [{ $in: [9, '$list'] }, false],
    [{ $indexOfArray: ['$list', 2] }, 2],
    [{ $indexOfArray: ['$list', 3, 1] }, -1],
    [{ $isArray: '$list' }, true],
    [{ $isArray: ['$a'] }, false],
    [{ $range: [0, 5, 2] }, [0, 2, 4]],
    [{ $range: [3, 0, -1] }, [3, 2, 1]],
    [{ $range: [3, 0] }, []],
    [{ $reverseArray: '$list' }, [2, 1, 3]],
    [{ $size: '$list' }, 3],
    [{ $slice: ['$list', 2] }, [3, 1]],
    [{ $slice: ['$list', -2] }, [1, 2]],
    [{ $slice: ['$list', 1, 1] }, [1]],
    [{ $slice: ['$list', -9, 2] }, [3, 1]],
    [{ $sortArray: { input: '$list', sortBy: 1 } }, [1, 2, 3]],
    [{ $sortArray: { input: [{ x: 1 }, { x: 2 }], sortBy: { x: -1 } } }, [{ x: 2 }, { x: 1 }]],
    [{ $zip: { inputs: [[1, 2], ['a']] } }, [[1, 'a']]],
    [
      { $zip: { inputs: [[1, 2], ['a']], useLongestLength: true, defaults: [0, 'z'] } },
      [
        [1, 'a'],
        [2, 'z'],
      ],
    ],
    [{ $firstN: { n: 2, input: '$list' } }, [3, 1]],
    [{ $lastN: { n: 2, input: '$list' } }, [1, 2]],
    [{ $maxN: { n: 2, input: '$list' } }, [3, 2]],
    [{ $minN: { n: 2, input: '$list' } }, [1, 2]],
    [
      {
        $setUnion: [
          [1, 2],
          [2, 3],
        ],
      },
      [1, 2, 3],
    ],
    [
      {
        $setIntersection: [
          [1, 2, 2],
          [2, 3],
        ],
      },
      [2],
    ],
    [{ $setDifference: [[1, 2, 1], [2]] }, [1]],
    [
      {
        $setEquals: [
          [1, 2],
          [2, 1, 1],
        ],
      },
      true,
    ],
    [{ $setIsSubset: [[1], [1, 2]] }, true],
    [{ $allElementsTrue: [[1, 'x']] }, true],
    [{ $anyElementTrue: [[0, null]] }, false],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('objects', () => {
  test.each<[unknown, unknown]>([
    [{ $mergeObjects: [{ x: 1 }, null, { y: '$a', x: 2 }] }, { x: 2, y: 5 }],
    [{ $mergeObjects: '$b' }, { c: ROOT.b.c }],
    [
      { $objectToArray: { x: 1, y: 'z' } },
      [
        { k: 'x', v: 1 },
        { k: 'y', v: 'z' },
      ],
    ],
    [
      {
        $arrayToObject: [
          [
            ['x', 1],
            ['y', 2],
          ],
        ],
      },
      { x: 1, y: 2 },
    ],
    [{ $arrayToObject: [[{ k: 'x', v: 1 }]] }, { x: 1 }],
    [{ $getField: 'a' }, 5],
    [{ $getField: { field: { $literal: '$x' }, input: { $literal: { $x: 3 } } } }, 3],
    [{ $getField: { field: 'q', input: null } }, null],
    [{ $setField: { field: 'x.y', input: { z: 1 }, value: 2 } }, { z: 1, 'x.y': 2 }],
    [{ $unsetField: { field: 'z', input: { z: 1, w: 2 } } }, { w: 2 }],
    [{ $type: '$a' }, 'int'],
    [{ $type: '$missing' }, 'missing'],
    [{ $type: [new Double(1)] }, 'double'],
    [{ $isNumber: '$s' }, false],
    [{ $bsonSize: { x: 1 } }, 12],
    [{ $binarySize: new Binary(Buffer.from('abc')) }, 3],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('strings', () => {
  test.each<[unknown, unknown]>([
    [{ $concat: ['$s', '-', 'é'] }, 'text-é'],
    [{ $concat: ['$s', null] }, null],
    [{ $toUpper: 'aé' }, 'Aé'],
    [{ $toLower: 'AÉ' }, 'aÉ'],
    [{ $toUpper: null }, ''],
    [{ $substrCP: ['a😀b', 1, 1] }, '😀'],
    [{ $substrBytes: ['héllo', 0, 3] }, 'hé'],
    [{ $substr: ['hello', 1, -1] }, 'ello'],
    [{ $strLenCP: 'a😀' }, 2],
    [{ $strLenBytes: 'é' }, 2],
    [{ $strcasecmp: ['ABC', 'abd'] }, -1],
    [{ $indexOfCP: ['a😀b', 'b'] }, 2],
    [{ $indexOfBytes: ['éb', 'b'] }, 2],
    [{ $indexOfCP: ['abcabc', 'c', 3] }, 5],
    [{ $indexOfCP: ['abc', 'z'] }, -1],
    [{ $split: ['a-b-c', '-'] }, ['a', 'b', 'c']],
    [{ $trim: { input: '  x \n' } }, 'x'],
    [{ $ltrim: { input: 'xxaxx', chars: 'x' } }, 'axx'],
    [{ $rtrim: { input: 'xxaxx', chars: 'x' } }, 'xxa'],
    [{ $replaceOne: { input: 'aXbX', find: 'X', replacement: { $literal: '$&' } } }, 'a$&bX'],
    [{ $replaceAll: { input: 'aXbX', find: 'X', replacement: '-' } }, 'a-b-'],
    [{ $regexMatch: { input: 'Hello', regex: 'hel', options: 'i' } }, true],
    [{ $regexFind: { input: '😀ab12', regex: '([a-z])(\\d)?' } }, { match: 'a', idx: 1, captures: ['a', null] }],
    [{ $regexFind: { input: 'x', regex: 'y' } }, null],
    [
      { $regexFindAll: { input: 'a1b2', regex: '[a-z](\\d)' } },
      [
        { match: 'a1', idx: 0, captures: ['1'] },
        { match: 'b2', idx: 2, captures: ['2'] },
      ],
    ],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected, ROOT);
  });
});

describe('conversions', () => {
  const id = '5f0000000000000000000000';

  test.each<[unknown, unknown]>([
    [{ $toInt: '42' }, 42],
    [{ $toInt: -2.9 }, -2],
    [{ $toInt: true }, 1],
    [{ $toLong: '9223372036854775807' }, long('9223372036854775807')],
    [{ $toLong: new Date(5) }, long(5)],
    [{ $toDouble: '2.50' }, 2.5],
    [{ $toDouble: 3 }, new Double(3)],
    [{ $toDecimal: '1.10' }, dec('1.10')],
    [{ $toDecimal: 7 }, dec('7')],
    [{ $toString: 2.5 }, '2.5'],
    [{ $toString: new Double(3) }, '3'],
    [{ $toString: true }, 'true'],
    [{ $toString: new ObjectId(id) }, id],
    [{ $toString: date('2018-03-27T16:58:51.538Z') }, '2018-03-27T16:58:51.538Z'],
    [{ $toString: long('123456789012345678') }, '123456789012345678'],
    [{ $toString: dec('1.50') }, '1.50'],
    [{ $toObjectId: id }, new ObjectId(id)],
    [{ $toBool: 'false' }, true],
    [{ $toBool: 0 }, false],
    [{ $toDate: '2020-02-03' }, date('2020-02-03T00:00:00Z')],
    [{ $toDate: long(1000) }, date('1970-01-01T00:00:01Z')],
    [{ $toDate: new ObjectId(id) }, new Date(0x5f000000 * 1000)],
    [{ $toInt: null }, null],
    [{ $convert: { input: 'x', to: 'int', onError: 'bad' } }, 'bad'],
    [{ $convert: { input: null, to: 'int', onNull: 'none' } }, 'none'],
    [{ $convert: { input: '5', to: 16 } }, 5],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected);
  });

  test.each([
    { $toInt: 'x' },
    { $toInt: '1.5' },
    { $toInt: 3e9 },
    { $toInt: new Date(0) },
    { $toObjectId: 'x' },
    { $toDate: 5 },
    { $toDate: 'soon' },
    { $toLong: NaN },
  ])('%j fails', (expression) => {
    expectError(() => evaluate(expression), 241);
  });
});

describe('dates', () => {
  const at = date('2024-03-10T08:05:09.007Z');
  const in_ = (operator: string, timezone?: string): unknown => ({
    [operator]: timezone ? { date: at, timezone } : at,
  });

  test.each<[unknown, unknown]>([
    [in_('$year'), 2024],
    [in_('$month'), 3],
    [in_('$dayOfMonth'), 10],
    [in_('$dayOfWeek'), 1],
    [in_('$isoDayOfWeek'), 7],
    [in_('$dayOfYear'), 70],
    [in_('$hour'), 8],
    [in_('$hour', '+05:30'), 13],
    [in_('$hour', 'America/New_York'), 4],
    [in_('$minute', '+05:30'), 35],
    [in_('$second'), 9],
    [in_('$millisecond'), 7],
    [in_('$week'), 10],
    [in_('$isoWeek'), 10],
    [in_('$isoWeekYear'), long(2024)],
    [{ $isoWeekYear: date('2021-01-03T00:00:00Z') }, long(2020)],
    [{ $isoWeek: date('2021-01-03T00:00:00Z') }, 53],
    [{ $year: null }, null],
    [{ $dateToString: { date: at } }, '2024-03-10T08:05:09.007Z'],
    [
      { $dateToString: { date: at, format: '%d/%m/%Y %H:%M:%S.%L %z %j %u %w %V %G %b %B %%', timezone: '-02:30' } },
      '10/03/2024 05:35:09.007 -0230 070 7 1 10 2024 Mar March %',
    ],
    [{ $dateToString: { date: null, onNull: 'none' } }, 'none'],
    [{ $dateFromString: { dateString: '2024-03-10T08:05:09.007Z' } }, at],
    [{ $dateFromString: { dateString: '2024-03-10T10:05:09.007+0200' } }, at],
    [{ $dateFromString: { dateString: '2024-07-01', timezone: 'Europe/Berlin' } }, date('2024-06-30T22:00:00Z')],
    [{ $dateFromString: { dateString: '10.03.2024', format: '%d.%m.%Y' } }, date('2024-03-10T00:00:00Z')],
    [{ $dateFromString: { dateString: 'soon', onError: 'bad' } }, 'bad'],
    [{ $dateFromParts: { year: 2024, month: 14, day: 1 } }, date('2025-02-01T00:00:00Z')],
    [{ $dateFromParts: { isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 7 } }, date('2021-01-03T00:00:00Z')],
    [{ $dateToParts: { date: at } }, { year: 2024, month: 3, day: 10, hour: 8, minute: 5, second: 9, millisecond: 7 }],
    [{ $dateAdd: { startDate: date('2024-01-31T10:00:00Z'), unit: 'month', amount: 1 } }, date('2024-02-29T10:00:00Z')],
    [
      { $dateAdd: { startDate: date('2024-03-09T12:00:00Z'), unit: 'day', amount: 1, timezone: 'America/New_York' } },
      date('2024-03-10T11:00:00Z'),
    ],
    [{ $dateSubtract: { startDate: at, unit: 'hour', amount: 9 } }, date('2024-03-09T23:05:09.007Z')],
    [
      { $dateDiff: { startDate: date('2023-12-31T23:00:00Z'), endDate: date('2024-01-01T01:00:00Z'), unit: 'year' } },
      long(1),
    ],
    [
      { $dateDiff: { startDate: date('2024-01-01T00:00:00Z'), endDate: date('2024-01-07T00:00:00Z'), unit: 'week' } },
      long(1),
    ],
    [
      {
        $dateDiff: {
          startDate: date('2024-01-01T00:00:00Z'),
          endDate: date('2024-01-07T00:00:00Z'),
          unit: 'week',
          startOfWeek: 'mon',
        },
      },
      long(0),
    ],
    [
      { $dateDiff: { startDate: date('2024-01-01T00:59:00Z'), endDate: date('2024-01-01T01:01:00Z'), unit: 'hour' } },
      long(1),
    ],
    [{ $dateTrunc: { date: at, unit: 'day' } }, date('2024-03-10T00:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'month' } }, date('2024-03-01T00:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'quarter' } }, date('2024-01-01T00:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'week', startOfWeek: 'monday' } }, date('2024-03-04T00:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'week' } }, date('2024-03-10T00:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'minute', binSize: 15 } }, date('2024-03-10T08:00:00Z')],
    [{ $dateTrunc: { date: at, unit: 'day', timezone: 'America/New_York' } }, date('2024-03-10T05:00:00Z')],
  ])('%j is %p', (expression, expected) => {
    expectValue(expression, expected);
  });
});

describe('what is wrong', () => {
  test.each<[unknown, number, string?]>([
    [{ $nope: 1 }, 168, "Unrecognized expression '$nope'"],
    [{ $add: [1], $subtract: [1, 2] }, 15983],
    [{ $divide: [1] }, 16020, 'takes exactly 2 arguments. 1 were passed in'],
    [{ $divide: [1, 0] }, 2, "can't $divide by zero"],
    [{ $mod: [1, 0] }, 16610],
    [{ $add: [1, 'x'] }, 14, '$add only supports numeric or date types, not string'],
    [{ $subtract: ['x', 1] }, 14],
    [{ $multiply: ['x', 1] }, 14],
    [{ $abs: 'x' }, 28765],
    [{ $sqrt: -1 }, 28714],
    [{ $ln: 0 }, 28766],
    [{ $concat: ['x', 1] }, 16702],
    [{ $size: 5 }, 17124, 'must be an array, but is int'],
    [{ $arrayElemAt: ['x', 0] }, 28689],
    [{ $in: [1, 2] }, 40081],
    [{ $map: { input: 5, in: 1 } }, 16883],
    [{ $map: { input: [], as: 'X', in: 1 } }, 9],
    [{ $filter: { input: [] } }, 9],
    [{ $cond: [1, 2] }, 16020],
    [{ $cond: { if: 1, then: 2 } }, 17080],
    [{ $switch: { branches: [] } }, 40068],
    [{ $switch: { branches: [{ case: false, then: 1 }] } }, 40066],
    [{ $mergeObjects: [5] }, 40400],
    [{ $substrBytes: ['é', 1, 1] }, 28656],
    [{ $dateToString: { date: 'x' } }, 16006],
    [{ $hour: { date: new Date(0), timezone: 'Mars/Olympus' } }, 40485],
    ['$$x', 17276, 'Use of undefined variable: x'],
    ['$', 16872],
    ['$a..b', 15998],
    [{ x: { 'y.z': 1 } }, 16412],
    [{ $range: [0, 1, 0] }, 34449],
    [{ $setEquals: [1, 2] }, 17044],
    [{ $function: {} }, 115],
    [{ $sqrt: dec('2') }, 115],
  ])('%j is error %d', (expression, code, message = '') => {
    expectError(() => evaluate(expression), code, message);
  });
});

test('$$NOW is the same throughout an evaluation, and variables come from the command', () => {
  const [a, b] = evaluate(['$$NOW', '$$NOW']) as [Date, Date];
  expect(a).toEqual(b);
  expect(Math.abs(Date.now() - a.getTime())).toBeLessThan(10_000);
  expect(evaluate({ $add: ['$$x', 1] }, {}, { x: { $multiply: [2, 3] } })).toBe(7);
  expect(evaluate({ $rand: {} })).toBeLessThan(1);
});
