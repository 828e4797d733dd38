import { setFlagsFromString } from 'node:v8';
import { fail, Batcher, startInterval, totals, withTimeout, type BatcherOptions } from '@tautan/kit';
import { plansOf } from '@tautan/plans';
import { consume } from '@tautan/kit/bus';
import { DeadLetters, retryWhileUnavailable, isTransient } from '@tautan/kit/mongo';
import { deadLetterTable } from '@tautan/kit/operator';
import { CLICK_PARTITIONS, clickSubject, streams, type ClickBatch } from '@tautan/proto';
import type { RoleDeps, RunningRole } from '../roles.js';
import { PlanStore } from './store/plans.js';
import { ClickUsageStore } from './store/click-usage.js';
import { StatsStore } from './store/stats.js';
import { UsageNoticeStore } from './store/usage-notices.js';
import { retentionOf } from '../config.js';
import { ClickThresholds } from './click-thresholds.js';
import { applyBatches, TRANSACTION_TIMEOUT_MS } from './apply-batches.js';
import { Attempts } from './attempts.js';
import { closeDays } from './close-days.js';
import { trackPlans } from './track-plans.js';
import { clickMeter } from './click-meter.js';
import type { PartitionBatch } from './collect-additions.js';
import { readBatch } from './read-batch.js';
import { rebuildTable } from './rebuild/index.js';

/**
 * Number of lanes. Each partition is assigned to a lane. A lane runs one transaction at a time, so that transactions of
 * the same lane never conflict.
 */
const LANES = 2;
/** Maximum number of clicks in a transaction, low enough to leave the database capacity for other work. */
const MAX_CLICKS = 1_000;
const LINGER_MS = 50;
const MAX_FAILURES = 3;
/**
 * Maximum number of batches in progress per partition, across all replicas. A popular link produces 20 small batches
 * per second. After an outage, batches must be applied much faster than they arrive.
 */
const IN_FLIGHT = 32;
/**
 * Maximum time that a message is held while the database is unavailable, in milliseconds. A held message is applied as
 * soon as the database is available again; after this time, it is requeued.
 */
const UNAVAILABLE_TIMEOUT_MS = 15_000;
const RETRY_MS = 250;
/**
 * Maximum time to apply batches, in milliseconds. Every database command has a shorter timeout, so this only ends work
 * that hangs, which would otherwise stop its lane until the process is restarted.
 */
const HANG_MS = 60_000;
const THRESHOLDS_EVERY_MS = 1_000;
/** Days are closed an hour after their end, so a minute more does not matter. */
const CLOSE_EVERY_MS = 60_000;

/**
 * Starts applying clicks: one durable consumer per partition, shared by all replicas. A batch is acknowledged after it
 * is applied. It is dead-lettered after three failures that were not caused by an outage, so that its partition
 * continues.
 */
export async function startStats(deps: RoleDeps): Promise<RunningRole> {
  const { config, models, mongo, bus, log, registry } = deps;
  // Without this flag, V8 allocates clicks and documents in the old generation once some have survived, and collects
  // them late.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // By default the heap may grow fourfold between two collections. This flag saves a quarter of the memory and costs 8%
  // more CPU time. It is not set if the process has other roles, because it would slow down API calls.
  if (config.ROLES.every((role) => role === 'stats')) setFlagsFromString('--heap-growing-percent=40');
  const counts = { applied: 0, repeated: 0, dead: 0 };
  const meterApplied = clickMeter(registry);
  const attempts = new Attempts(MAX_FAILURES, isTransient);
  const stats = new StatsStore(models);
  const plans = new PlanStore(models, retentionOf(config));
  const thresholds = new ClickThresholds({
    clickUsage: new ClickUsageStore(models),
    planStore: plans,
    plans: plansOf(config),
    notices: new UsageNoticeStore(models),
    transact: deps.outbox!.transact,
    ready: mongo.ready,
    log,
    now: () => new Date(),
    everyMs: THRESHOLDS_EVERY_MS,
  });
  const onCounted = (clicks: ReadonlyMap<string, number>): void => thresholds.record(clicks);
  const options: BatcherOptions<PartitionBatch, void> = {
    apply: async (batches) => {
      if (!mongo.ready()) throw fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
      const applying = applyBatches({ connection: mongo.connection, models, stats, plans, onCounted }, batches);
      const fresh = await withTimeout(applying, HANG_MS, failTimeout);
      counts.applied += fresh.length;
      counts.repeated += batches.length - fresh.length;
      meterApplied(fresh, Date.now());
      return batches.map(() => undefined);
    },
    isItemError: (error) => !isTransient(error),
    weigh: ({ batch }) => batch.clicks.length,
    maxSize: MAX_CLICKS,
    concurrency: 1,
    lingerMs: LINGER_MS,
  };
  const lanes = Array.from({ length: LANES }, () => new Batcher(options));
  let stopping = false;
  const read = (payload: Uint8Array): ClickBatch => {
    try {
      return readBatch(payload);
    } catch (error) {
      throw attempts.markPermanent(error as Error);
    }
  };
  const apply = async (payload: Uint8Array, partition: number): Promise<void> => {
    const batch = { batch: read(payload), partition };
    const lane = lanes[partition % LANES]!;
    const retry = { timeoutMs: UNAVAILABLE_TIMEOUT_MS, retryMs: RETRY_MS, stopping: () => stopping };
    await attempts.run(batch.batch.id, () => retryWhileUnavailable(() => lane.run(batch), retry));
  };
  const deadLetters = new DeadLetters(models.deadLetters);
  const consumers = Array.from({ length: CLICK_PARTITIONS }, (_, partition) => {
    const subject = clickSubject(partition);
    const { handle, onDeadLetter } = deadLetters.consuming(subject, (payload) => apply(payload, partition));
    return consume(
      bus,
      {
        stream: streams.clicks.name,
        durable: `stats-${partition}`,
        subject,
        maxInFlight: IN_FLIGHT,
        concurrency: IN_FLIGHT,
        maxDeliveries: MAX_FAILURES,
        handle,
        onDeadLetter: async (payload, error) => {
          await onDeadLetter(payload, error);
          counts.dead += 1;
        },
        log,
      },
      attempts.mustRetry,
    );
  });
  const planTracking = trackPlans({ bus, deadLetters, plans, stats, log, settleMs: TRANSACTION_TIMEOUT_MS });
  const shutdown = new AbortController();
  const dayClosing = startInterval(
    () => closeDays({ connection: mongo.connection, stats, plans, log }, new Date(), shutdown.signal),
    { name: 'closing of days', everyMs: CLOSE_EVERY_MS, ready: mongo.ready, log },
  );
  totals(
    registry,
    'tautan_stats_batches_total',
    'Batches of clicks: applied, repeated (applied before) or dead-lettered',
    'outcome',
    () => counts,
  );
  const stop = async (): Promise<void> => {
    stopping = true;
    shutdown.abort();
    await Promise.all([...consumers, planTracking, dayClosing].map((each) => each.stop()));
    await thresholds.stop();
  };
  const rebuildDeps = { connection: mongo.connection, models, stats, plans, bus };
  return { stop, operators: [deadLetterTable(deadLetters), rebuildTable(rebuildDeps)] };
}

const failTimeout = (): never => {
  throw fail('SERVICE_UNAVAILABLE', 'The clicks could not be applied in time.');
};
