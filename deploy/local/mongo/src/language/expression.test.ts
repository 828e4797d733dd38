import { describe, expect, test } from '@jest/globals';
import { doc, expectDocument, expectError } from './bson.test.fixtures.js';
import { parseExpression } from './expression.js';
import { documentOf } from './values.js';

type Fields = Record<string, unknown>;

const evaluate = (expression: unknown, root: Fields = {}): unknown =>
  parseExpression(doc({ e: expression }).e)(doc(root));

const MISSING = Symbol('missing');
const ROOT = { a: 5, b: { c: [{ d: 1 }, { d: 2 }, { e: 3 }, 4] }, s: 'text', n: null, list: [3, 1, 2] };

describe('an expression', () => {
  test.each<[unknown, unknown]>([
    ['$a', 5],
    ['$b.c', ROOT.b.c],
    ['$$ROOT', ROOT],
    ['$missing', MISSING],
    ['$n.x', MISSING],
    ['$a.x', MISSING],
    ['plain', 'plain'],
    [{ $literal: '$a' }, '$a'],
    [
      { x: '$a', y: '$missing', z: { w: '$s' } },
      { x: 5, z: { w: 'text' } },
    ],
    [{ $setField: { field: { $literal: '$x.y' }, input: { k: 1 }, value: '$a' } }, { k: 1, '$x.y': 5 }],
    [{ $setField: { field: 'k', input: { k: 1, l: 2 }, value: '$missing' } }, { l: 2 }],
    [{ $setField: { field: 'k', input: '$missing', value: 1 } }, null],
  ])('%j is %p', (expression, expected) => {
    const result = evaluate(expression, ROOT);
    if (expected === MISSING) expect(result).toBeUndefined();
    else expectDocument(documentOf({ result }), { result: expected });
  });

  test.each<[unknown, number, string]>([
    ['$', 15998, 'empty'],
    ['$a..b', 15998, 'empty'],
    ['$a.$b', 16410, "may not start with '$'"],
    [{ $setField: {}, $literal: 1 }, 15983, 'exactly one field'],
    [{ 'a.b': 1 }, 16412, "may not contain '.'"],
    [{ $setField: { field: '$a', input: {}, value: 1 } }, 4161106, 'constant string'],
    [{ $setField: { field: 'a', input: 5, value: 1 } }, 4161105, 'type Object, not int'],
    [{ $setField: { field: 'a', input: {}, value: 1, nope: 1 } }, 4161101, 'nope'],
    [{ $add: [1, 2] }, 115, 'the expression $add is not supported by this engine'],
    ['$$NOW', 115, 'the variable $$NOW is not supported by this engine'],
    ['$$ROOT.a', 115, 'the variable $$ROOT.a is not supported by this engine'],
    [['$a'], 115, 'an array in an expression is not supported by this engine'],
  ])('%j is error %d', (expression, code, message) => {
    expectError(() => evaluate(expression), code, message);
  });

  test.each(['$b.c.d', '$list.0'])('refuses an array before the end of %s', (path) => {
    expectError(() => evaluate(path, ROOT), 115, `an array before the end of the path '${path.slice(1)}'`);
  });
});
