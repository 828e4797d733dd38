import { describe, expect, test } from '@jest/globals';
import { doc, expectDocument, expectError } from './bson.test.fixtures.js';
import { parseExpression } from './expression.js';
import { documentOf } from './values.js';

type Fields = Record<string, unknown>;

const evaluate = (expression: unknown, root: Fields = {}): unknown =>
  parseExpression(doc({ e: expression }).e)(doc(root));

const MISSING = Symbol('missing');
const ROOT = { a: 5, b: { c: [{ d: 1 }, { d: 2 }, { e: 3 }, 4] }, s: 'text', n: null, o: { k: 1 }, list: [3, 1, 2] };

describe('an expression', () => {
  test.each<[unknown, unknown]>([
    ['$a', 5],
    ['$b.c', ROOT.b.c],
    ['$$ROOT', ROOT],
    ['$missing', MISSING],
    ['$n.x', MISSING],
    ['$a.x', MISSING],
    ['plain', 'plain'],
    [{ $setField: { field: { $literal: '$x.y' }, input: '$o', value: '$a' } }, { k: 1, '$x.y': 5 }],
    [{ $setField: { field: 'k', input: '$o', value: '$missing' } }, {}],
  ])('%j evaluates to %p', (expression, expected) => {
    const result = evaluate(expression, ROOT);
    if (expected === MISSING) expect(result).toBeUndefined();
    else expectDocument(documentOf({ result }), { result: expected });
  });

  test.each<[unknown, number, string]>([
    ['$', 2, 'invalid field name'],
    ['$a..b', 2, 'invalid field name'],
    ['$a.$b', 115, "'$b' in the path 'a.$b'"],
    [{ $setField: 5 }, 4161100, 'needs an object'],
    [{ $setField: { field: '$a', input: '$$ROOT', value: 1 } }, 115, '$setField of a field that is not a constant'],
    [{ $setField: { field: 'a', input: '$missing', value: 1 } }, 115, '$setField with an input that is not a document'],
    [{ $setField: {}, $literal: 1 }, 115, 'the expression $setField'],
    [{ a: '$b' }, 115, 'the expression a is not supported by this engine'],
    [{ $add: [1, 2] }, 115, 'the expression $add is not supported by this engine'],
    ['$$NOW', 115, 'the variable $$NOW is not supported by this engine'],
    ['$$ROOT.a', 115, 'the variable $$ROOT.a is not supported by this engine'],
    [['$a'], 115, 'an array in an expression is not supported by this engine'],
  ])('%j throws error %d', (expression, code, message) => {
    expectError(() => evaluate(expression), code, message);
  });

  test.each(['$b.c.d', '$list.0'])('refuses an array before the end of %s', (path) => {
    expectError(() => evaluate(path, ROOT), 115, `an array before the end of the path '${path.slice(1)}'`);
  });
});
