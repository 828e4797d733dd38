import { Counter, Histogram, type Registry } from '@tautan/kit';
import type { PartitionBatch } from './collect-additions.js';

/** Histogram buckets in seconds, from normal operation to the backlog after an outage. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** Returns a function that records batches which were just applied (`now`: Unix ms). */
export function clickMeter(registry: Registry): (batches: PartitionBatch[], now: number) => void {
  const applied = new Counter({
    name: 'tautan_clicks_applied_total',
    help: 'Clicks added to statistics',
    registers: [registry],
  });
  const lag = new Histogram({
    name: 'tautan_click_lag_seconds',
    help: 'Time from the first click of a batch until the batch appears in statistics',
    buckets,
    registers: [registry],
  });
  return (batches, now) => {
    for (const { batch } of batches) {
      applied.inc(batch.clicks.length);
      // Clocks of different machines may be skewed.
      lag.observe(Math.max(0, now - batch.base) / 1_000);
    }
  };
}
