import { Counter, databaseGauge, gauge, Histogram, type Registry } from '@tautan/kit';
import type { Deliverer } from './delivery/deliverer.js';
import type { DeliveryStatus } from './domain/delivery.js';
import type { Outcome } from './domain/schedule.js';
import type { Store } from './store/index.js';

/** Maximum number of pending deliveries that are counted for the queue depth. */
const MAX_DEPTH = 100_000;
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Creates the metrics of deliveries. */
export function createMeters(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'tautan_webhook_attempts_total',
    help: 'Attempts by outcome: succeeded, retried (another follows), failed (none follows)',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'tautan_webhook_attempt_duration_seconds',
    help: 'Duration of an attempt, from the DNS lookup to the end of the response, by outcome (as in tautan_webhook_attempts_total)',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const first = new Histogram({
    name: 'tautan_webhook_first_attempt_delay_seconds',
    help: 'Time from the creation of a delivery to its first attempt. Excludes deliveries that waited because their endpoint was paused, failing, or at its limit of concurrent attempts. Deliveries that waited before this process took over the queue of the endpoint are included, because the process does not know why they waited',
    buckets,
    registers,
  });
  const skipped = new Counter({
    name: 'tautan_webhook_clicks_left_out_total',
    help: 'Events of clicks and scans that were not queued for an endpoint, because it has too many pending deliveries',
    registers,
  });
  return {
    countSkipped: (count: number) => skipped.inc(count),
    observe: (
      { at, durationMs }: Outcome,
      status: DeliveryStatus,
      { attempts: before, createdAt }: { attempts: number; createdAt: Date },
      heldByEndpoint: boolean,
    ) => {
      const outcome = status === 'pending' ? 'retried' : status;
      attempts.inc({ outcome });
      seconds.observe({ outcome }, durationMs / 1_000);
      if (before === 0 && !heldByEndpoint) first.observe((at.getTime() - createdAt.getTime()) / 1_000);
    },
  };
}

/** Creates gauges that are computed on collection; those that need the database are omitted while it is unavailable. */
export function gaugeDeliveries(
  registry: Registry,
  { store, deliverer, ready, now }: { store: Store; deliverer: Deliverer; ready: () => boolean; now: () => Date },
): void {
  const depth = { name: 'tautan_webhook_queue_depth', help: `Pending deliveries, up to ${MAX_DEPTH}`, ready };
  databaseGauge(registry, depth, () => store.deliveries.depth(MAX_DEPTH));
  const lag = {
    name: 'tautan_webhook_queue_lag_seconds',
    help: 'Time since the longest-waiting queue became due',
    ready,
  };
  databaseGauge(registry, lag, async () => (await store.queues.lag(now())) / 1_000);
  gauge(registry, 'tautan_webhook_attempts_in_flight', 'Delivery attempts in flight', () => deliverer.load.inFlight);
  gauge(
    registry,
    'tautan_webhook_endpoints_in_progress',
    'Endpoints to which this process is delivering',
    () => deliverer.load.queues,
  );
  gauge(
    registry,
    'tautan_webhook_endpoints_failing',
    'Endpoints to which this process is delivering and whose last attempt failed',
    () => deliverer.load.failing,
  );
}
