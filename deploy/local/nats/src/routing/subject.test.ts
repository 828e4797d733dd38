import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { collide, isLiteralSubject, isSubset, isValidSubject, SubjectFilter } from './subject.js';
import { SubjectTree } from './subject-tree.js';

const token = fc.constantFrom('a', 'b', 'cc');
const subject = fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join('.'));
const pattern = fc
  .tuple(fc.array(fc.oneof(token, fc.constant('*')), { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([tokens, open]) => [...tokens, ...(open ? ['>'] : [])].join('.'));

/** A simple reference implementation of matching. */
const matches = (text: string, wanted: string): boolean =>
  new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace('>', '.+')}$`).test(text);

describe('subjects', () => {
  test('are tokens without whitespace; only the last token can be >', () => {
    for (const good of ['a', 'a.b', '*', '>', 'a.*.b.>', 'a>b', '*a', '$JS.API'])
      expect(isValidSubject(good)).toBe(true);
    for (const bad of ['', '.', 'a.', '.a', 'a..b', 'a b', 'a\tb', '>.a', 'a.>.b'])
      expect(isValidSubject(bad)).toBe(false);
    expect([isLiteralSubject('a.b'), isLiteralSubject('a.*'), isLiteralSubject('>')]).toEqual([true, false, false]);
  });

  test('match in the tree exactly as in the reference implementation', () => {
    fc.assert(
      fc.property(fc.uniqueArray(pattern), subject, (patterns, text) => {
        const tree = new SubjectTree<string>();
        for (const one of patterns) tree.add(one, one);
        expect(tree.match(text).sort()).toEqual(patterns.filter((one) => matches(text, one)).sort());
        for (const one of patterns.slice(1)) tree.delete(one, one);
        expect(tree.match(text)).toEqual(patterns.slice(0, 1).filter((one) => matches(text, one)));
      }),
    );
  });

  test('a filter matches if one of its subjects does, or if it has no subjects', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1 }), subject, (patterns, text) => {
        expect(new SubjectFilter(patterns).matches(text)).toBe(patterns.some((one) => matches(text, one)));
      }),
    );
    expect(new SubjectFilter([]).matches('any.thing')).toBe(true);
  });

  test('a subset matches only what its superset matches; patterns that match the same subject collide', () => {
    fc.assert(
      fc.property(pattern, pattern, subject, (one, other, text) => {
        if (isSubset(one, other) && matches(text, one)) expect(matches(text, other)).toBe(true);
        if (isSubset(one, other)) expect(collide(one, other)).toBe(true);
        if (matches(text, one) && matches(text, other)) expect(collide(one, other)).toBe(true);
        expect(collide(one, other)).toBe(collide(other, one));
      }),
    );
    expect([collide('a.*', 'b.>'), collide('a.*', '*.b'), collide('a', 'a.>')]).toEqual([false, true, false]);
  });
});
