import { expect, test } from '@jest/globals';
import { packRegisters } from './packed-registers.js';
import { visitorHash } from './visitor-hash.js';
import { VisitorSketch } from './visitor-sketch.js';

const hash = (index: number, rank: number): number => index * 64 + rank;
const sketchOf = (hashes: number[]): VisitorSketch => {
  const sketch = new VisitorSketch();
  for (const each of hashes) sketch.add(each);
  return sketch;
};
const hashesIn = (sketch: VisitorSketch): number[] => [...new Uint32Array(sketch.bytes().slice().buffer)];
const stored = (sketch: VisitorSketch): string => Buffer.from(sketch.bytes()).toString('base64');
const restored = (sketch: VisitorSketch): VisitorSketch => VisitorSketch.from(sketch.bytes().slice());

test('keeps the hash with the highest rank for each index', () => {
  const sketch = sketchOf([hash(7, 3), hash(5, 2), hash(5, 1)]);
  expect(hashesIn(sketch)).toEqual([hash(5, 2), hash(7, 3)]);
  for (const each of [hash(5, 1), hash(7, 4), hash(6, 1), hash(9, 1)]) sketch.add(each);
  expect(sketch.estimate()).toBe(4);
  expect(hashesIn(restored(sketch))).toEqual([hash(5, 2), hash(6, 1), hash(7, 4), hash(9, 1)]);
});

test('stores the hashes of up to 4,095 visitors, and HyperLogLog registers instead if there are more', () => {
  const hashes = Array.from({ length: 4_096 }, (_, i) => hash(i << 14, 1));
  const sketch = sketchOf(hashes.slice(0, 2_500));
  expect(sketch.estimate()).toBe(2_500);
  for (const each of hashes.slice(2_500, -1)) sketch.add(each);
  expect(hashesIn(sketch)).toEqual(hashes.slice(0, -1));
  sketch.add(hashes[0]!);
  expect(hashesIn(sketch)).toEqual(hashes.slice(0, -1));
  expect([sketch.estimate(), restored(sketch).estimate()]).toEqual([4_095, 4_095]);
  sketch.add(hashes.at(-1)!);
  expect(sketch.bytes()).toHaveLength(1 + 16_384);
  expect(restored(sketch).estimate()).toBe(sketch.estimate());
});

test('a merge results in the union, and neither it nor a later addition changes the other sketch', () => {
  const visitors = Array.from({ length: 9_000 }, (_, i) => visitorHash(`visitor-${i}`));
  const bounds = [
    [0, 100],
    [0, 3_000],
    [2_000, 5_000],
    [50, 6_000],
    [3_000, 9_000],
  ] as const;
  const sets = bounds.map(([from, to]) => visitors.slice(from, to));
  for (const [first, second] of sets.flatMap((a) => sets.map((b) => [a, b] as const))) {
    const union = sketchOf([...first, ...second]);
    for (const form of [(sketch: VisitorSketch) => sketch, restored]) {
      const [merged, other] = [form(sketchOf(first)), form(sketchOf(second))];
      const before = stored(other);
      merged.merge(other);
      expect(stored(merged)).toBe(stored(union));
      expect(merged.estimate()).toBe(union.estimate());
      merged.add(hash(1, 39));
      expect(stored(other)).toBe(before);
    }
  }
});

test.each([10_000, 1_000_000, 1e9, 1e13, 1e19])(
  'estimates %d visitors from typical registers within 0.1%%',
  (count) => {
    const registers = new Uint8Array(1 << 15);
    // The share of registers that hold at most `rank` if each has a Poisson-distributed number of visitors.
    const shareUpTo = (rank: number) => (rank === 50 ? 1 : Math.exp(-count / registers.length / 2 ** rank));
    for (let i = 0, rank = 0; i < registers.length; i += 1) {
      while (shareUpTo(rank) < (i + 0.5) / registers.length) rank += 1;
      registers[i] = rank;
    }
    const estimate = VisitorSketch.from(packRegisters(registers)).estimate();
    expect(Math.abs(estimate / count - 1)).toBeLessThan(0.001);
  },
);
