import { expect, test } from '@jest/globals';
import { newId } from '@tautan/kit';
import { SetDigest } from './set-digest.js';

/** Returns the digest of all ids, added one group after the other. */
function digestOf(...groups: string[][]): string {
  const set = new SetDigest();
  groups.forEach((ids) => set.add(ids));
  return set.digest;
}

test('a digest does not depend on the order of the ids, and differs between different sets of ids', () => {
  // Created in the same millisecond, so that consecutive ids differ by one.
  const [a, b, c, d] = Array.from({ length: 4 }, () => newId('lnk', 1_700_000_000_000)) as [
    string,
    string,
    string,
    string,
  ];
  expect(digestOf([a, b], [c])).toBe(digestOf([c], [b, a]));
  const digests = [[], [a], [b], [a, b], [a, c], [a, d], [b, c], [a, b, c, d]].map((ids) => digestOf(ids));
  expect(new Set(digests).size).toBe(digests.length);
});

test('a digest contains the number of ids and the sums of their hashes, and is the same in every release', () => {
  const set = new SetDigest();
  set.add(['a', 'b']);
  expect([set.count, set.digest]).toEqual([2, '2-9604cf6f-69d56fe1-d94d47aa-a8a30266']);
});
