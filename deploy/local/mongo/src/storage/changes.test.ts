import { expect, test } from '@jest/globals';
import { Changes } from './changes.js';

test('reverting to a version discards newer versions and subtracts their size', () => {
  const changes = new Changes();
  changes.set('a', Buffer.alloc(100), 1, 1);
  const { bytes } = changes;
  changes.set('a', null, 2, 1);
  changes.set('b', Buffer.alloc(100), 3, 1);
  changes.revert(1);
  expect([changes.size, changes.bytes]).toEqual([1, bytes]);
  expect(changes.entries(Infinity)).toEqual([['a', Buffer.alloc(100)]]);
  changes.revert(0);
  expect([changes.size, changes.bytes]).toEqual([0, 0]);
});
