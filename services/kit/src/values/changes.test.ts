import { expect, test } from '@jest/globals';
import { changesBetween } from './changes.js';

test('the changes are the fields that differ, except updatedAt, with both values', () => {
  const before = { title: 'a', tags: ['x'], style: { size: 1 }, updatedAt: 1 };
  expect(changesBetween(before, { ...before, tags: ['x'], style: { size: 1 }, updatedAt: 2 })).toEqual({});
  expect(changesBetween(before, { ...before, title: 'b', tags: ['y'], updatedAt: 2 })).toEqual({
    title: { before: 'a', after: 'b' },
    tags: { before: ['x'], after: ['y'] },
  });
});
