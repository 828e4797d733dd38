import { expect, test } from '@jest/globals';
import { indexOf, rankOf, registerOf, visitorHash } from './visitor-hash.js';

test('the hash of a visitor id never changes, because stored sketches contain it', () => {
  const hashes = ['', 'a', 'visitor-1', 'é☃', 'visitor-99', 'visitor-2', 'visitor-31'].map(visitorHash);
  expect(hashes).toEqual([
    1_047_879_553, 371_309_697, 3_046_609_281, 1_015_567_939, 3_259_475_974, 783_278_407, 108_041_034,
  ]);
  // If the six bits after the index are zero, the rank depends on the other half of the 64-bit hash.
  expect(hashes.map(rankOf)).toEqual([1, 1, 1, 3, 6, 7, 10]);
});

test('the first bits of the index are the register, and the rank is one more than the number of zero bits that follow', () => {
  const [register, ownRank] = [32_101, 5];
  const found = [0b111_1111_1111, 0b100_0000_0000, 0b011_0000_0000, 0b000_0000_0011, 1, 0].map((following) => {
    const hash = ((register << 11) | following) * 64 + ownRank;
    expect([indexOf(hash), rankOf(hash)]).toEqual([(register << 11) | following, ownRank]);
    return registerOf(hash, 15);
  });
  expect(found).toEqual([1, 1, 2, 10, 11, 11 + ownRank].map((rank) => ({ register, rank })));
});
