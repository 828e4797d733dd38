import type { LimitName } from '@tautan/proto';
import { Gauge, type Registry } from '../metrics.js';
import { repeat, type RepeatOptions } from '../repeat.js';
import { counterKey, monthOf, type CounterKey } from './counter.js';
import type { UsageCounters } from './usage-counters.js';

const PAGE = 200;

export interface Drift extends CounterKey {
  /** By how much the counter is too high; negative where it is too low. */
  drift: number;
}

interface CheckOptions {
  workspaceId?: string | undefined;
  repair?: boolean;
  at: Date;
  /** The counter that the page follows. */
  after?: string;
}

/**
 * Compares a page of the counters in use with what exists, one at a time, and returns those that differ; `next` is what the
 * next page follows. Counters of past months are left out.
 */
export async function checkPage(
  counters: UsageCounters,
  { workspaceId, repair = false, at, after = '' }: CheckOptions,
): Promise<{ drifts: Drift[]; checked: number; next: string | undefined }> {
  const ids = await counters.ids({ after, workspaceId, atMost: PAGE });
  const keys = ids.map(counterKey).filter(({ month }) => month === undefined || month >= monthOf(at));
  const drifts: Drift[] = [];
  for (const key of keys) {
    const drift = await counters.drift(key, repair);
    if (drift !== 0) drifts.push({ ...key, drift });
  }
  return { drifts, checked: keys.length, next: ids.length < PAGE ? undefined : ids.at(-1) };
}

/** Compares all counters in use, a page at a time, and yields those that differ. */
export async function* checkUsage(counters: UsageCounters, options: CheckOptions): AsyncGenerator<Drift> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const { drifts, next } = await checkPage(counters, { ...options, after });
    yield* drifts;
    after = next;
  }
}

/** Checks all counters again and again, and shows what the last complete check found as `tautan_usage_drift`. */
export function watchUsage(
  counters: UsageCounters,
  { registry, now, ...options }: Omit<RepeatOptions, 'name'> & { registry: Registry; now: () => Date },
): { stop(): Promise<void> } {
  const gauge = new Gauge({
    name: 'tautan_usage_drift',
    help: 'Difference between usage counters and what exists, found by the last check',
    labelNames: ['limit'],
    registers: [registry],
  });
  return repeat(
    async () => {
      const sums = new Map((Object.keys(counters.limits) as LimitName[]).map((limit) => [limit, 0]));
      for await (const { limit, workspaceId, drift } of checkUsage(counters, { at: now() })) {
        sums.set(limit, sums.get(limit)! + Math.abs(drift));
        options.log.warn(
          { limit, workspaceId, drift },
          'a usage counter differs from what exists; run tautan-admin usage check --repair',
        );
      }
      for (const [limit, sum] of sums) gauge.set({ limit }, sum);
    },
    { ...options, name: 'usage check' },
  );
}
