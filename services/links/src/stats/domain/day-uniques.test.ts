import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DayUniques } from './day-uniques.js';
import { QUARTERS } from './quarters.js';
import { visitorHash } from './visitor-hash.js';
import { VisitorSketch } from './visitor-sketch.js';

const aVisit = fc.record({ quarter: fc.integer({ min: 0, max: QUARTERS - 1 }), visitor: fc.nat({ max: 60 }) });

function sketches(visits: { quarter: number; visitor: number }[]): Map<number, VisitorSketch> {
  const quarters = new Map<number, VisitorSketch>();
  for (const { quarter, visitor } of visits) {
    if (!quarters.has(quarter)) quarters.set(quarter, new VisitorSketch());
    quarters.get(quarter)!.add(visitorHash(`visitor ${visitor}`));
  }
  return quarters;
}

test('counts the visitors of every prefix, suffix and hour of a day, and returns undefined for other ranges', () => {
  fc.assert(
    fc.property(fc.array(aVisit, { maxLength: 200, size: 'max' }), (visits) => {
      const uniques = DayUniques.from(DayUniques.of(sketches(visits)).bytes());
      for (let from = 0; from < QUARTERS; from += 1) {
        for (let to = from + 1; to <= QUARTERS; to += 1) {
          const inside = visits.filter(({ quarter }) => quarter >= from && quarter < to);
          const isStored = from === 0 || to === QUARTERS || to - from === 4;
          const expected = isStored ? new Set(inside.map(({ visitor }) => visitor)).size : undefined;
          if (uniques.between(from, to) !== expected) throw new Error(`${from} to ${to}: not ${expected}`);
        }
      }
    }),
    { numRuns: 20 },
  );
});

test('counts within 2% if a day has too many visitors for a list of hashes', () => {
  const visits = Array.from({ length: 40_000 }, (_, visitor) => ({ quarter: visitor % QUARTERS, visitor }));
  const uniques = DayUniques.of(sketches(visits));
  for (const [from, to] of [
    [0, 96],
    [0, 68],
    [68, 96],
    [22, 96],
  ] as const) {
    const expected = visits.filter(({ quarter }) => quarter >= from && quarter < to).length;
    expect(Math.abs(uniques.between(from, to)! / expected - 1)).toBeLessThan(0.02);
  }
});

test('takes 1,140 bytes, even for a day without visitors', () => {
  expect(DayUniques.of(new Map()).bytes()).toHaveLength(1_140);
});
