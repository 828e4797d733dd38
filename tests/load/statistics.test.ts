import { expect, test } from '@jest/globals';
import { Latencies, median } from './statistics.js';

test('the median is the middle value, or the mean of the middle two', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test('a percentile is the latency that the given share of requests does not exceed, within 10 µs', () => {
  const latencies = new Latencies();
  for (let i = 1; i <= 100; i += 1) latencies.add(i);
  const differences = [0.5, 0.99, 1].map((share) => Math.abs(latencies.percentile(share) - share * 100));
  expect(Math.max(...differences)).toBeLessThan(0.0101);
});

test('latencies above two seconds count as two seconds', () => {
  const latencies = new Latencies();
  latencies.add(60_000);
  expect(latencies.percentile(0.99)).toBeCloseTo(2_000, 1);
  expect(new Latencies().percentile(0.5)).toBeNaN();
});
