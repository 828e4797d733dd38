import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visitorHash } from './visitor-hash.js';
import { VisitorSketch } from './visitor-sketch.js';

function sketchOf(count: number, name: (i: number) => string = (i) => `visitor-${i}`): VisitorSketch {
  const sketch = new VisitorSketch();
  for (let i = 0; i < count; i += 1) sketch.add(visitorHash(name(i)));
  return sketch;
}
const restored = (sketch: VisitorSketch) => VisitorSketch.from(sketch.bytes());
const merged = (...sketches: VisitorSketch[]): VisitorSketch => {
  const all = new VisitorSketch();
  for (const each of sketches) all.merge(each);
  return all;
};

test.each([0, 1, 2, 10, 100, 1_000, 4_000])('estimates %i visitors with an error of at most one', (count) => {
  expect(Math.abs(sketchOf(count).estimate() - count)).toBeLessThanOrEqual(count < 1_000 ? 0 : 1);
});

test.each([4_095, 4_096, 4_097, 10_000, 30_000, 100_000, 300_000])('estimates %i visitors within 2%%', (count) => {
  for (const series of ['a', 'b']) {
    const estimate = sketchOf(count, (i) => `${series}${i}`).estimate();
    expect(Math.abs(estimate / count - 1)).toBeLessThan(0.02);
  }
});

test('has a standard error close to the theoretical 0.57% for 100,000 visitors', () => {
  const errors = Array.from(
    { length: 16 },
    (_, set) => sketchOf(100_000, (i) => `${set}/${i}`).estimate() / 100_000 - 1,
  );
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  expect(deviation).toBeLessThan(0.0085);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.02);
});

test('counts returning visitors once', () => {
  const sketch = sketchOf(50_000);
  const before = sketch.estimate();
  for (let i = 0; i < 50_000; i += 1) sketch.add(visitorHash(`visitor-${i}`));
  expect(sketch.estimate()).toBe(before);
});

test('merges to the union, in any order and any number of times, for few and many visitors', () => {
  const count = fc.constantFrom(0, 3, 500, 6_000, 12_000);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(count, fc.integer({ min: 0, max: 9_000 })), { minLength: 1, maxLength: 4 }),
      (sets) => {
        const parts = sets.map(([size, first]) => sketchOf(size, (i) => `v${first + i}`));
        const union = new VisitorSketch();
        for (const [size, first] of sets) for (let i = 0; i < size; i += 1) union.add(visitorHash(`v${first + i}`));
        const inOrder = merged(...parts.map(restored));
        const reversed = merged(...parts.toReversed(), ...parts);
        expect(inOrder.estimate()).toBe(reversed.estimate());
        // The stored form depends only on the set of visitors, not on how the sketches were merged.
        expect(Buffer.from(inOrder.bytes()).equals(Buffer.from(union.bytes()))).toBe(true);
      },
    ),
    { numRuns: 12 },
  );
});

test('takes four bytes per visitor, and at most about 16 KiB', () => {
  expect(sketchOf(1_000).bytes()).toHaveLength(4_000);
  for (const count of [4_095, 4_096, 20_000, 100_000]) {
    const bytes = sketchOf(count).bytes();
    expect(bytes.length).toBeLessThanOrEqual(16_500);
    expect(VisitorSketch.from(bytes).estimate()).toBe(sketchOf(count).estimate());
  }
});

test('reads bytes at any alignment', () => {
  const bytes = sketchOf(10).bytes();
  const shifted = new Uint8Array(bytes.length + 3).subarray(3);
  shifted.set(bytes);
  expect(VisitorSketch.from(shifted).estimate()).toBe(10);
});
