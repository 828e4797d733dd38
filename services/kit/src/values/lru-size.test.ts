import { expect, test } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { maxEntries } from './lru-size.js';

test('a cache of at most 2 entries evicts the least recently used one', () => {
  const cache = new LRUCache<string, number>(maxEntries(2));
  for (const [index, key] of ['a', 'b'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('c', 2);
  expect([...cache.keys()]).toEqual(['c', 'a']);
  // With `max`, the cache would allocate memory for all entries at once.
  expect(cache.max).toBe(0);
});
