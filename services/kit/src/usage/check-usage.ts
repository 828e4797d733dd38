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
}

/** Compares all counters in use with what exists, one at a time, and yields those that differ. Counters of past months are left out. */
export async function* checkUsage(
  counters: UsageCounters,
  { workspaceId, repair = false, at }: CheckOptions,
): AsyncGenerator<Drift> {
  for (let after = ''; ;) {
    const ids = await counters.ids({ after, workspaceId, atMost: PAGE });
    for (const id of ids) {
      const key = counterKey(id);
      if (key.month !== undefined && key.month < monthOf(at)) continue;
      const drift = await counters.drift(key, repair);
      if (drift !== 0) yield { ...key, drift };
    }
    if (ids.length < PAGE) return;
    after = ids.at(-1)!;
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
          'a usage counter differs from what exists; run check-usage --repair',
        );
      }
      for (const [limit, sum] of sums) gauge.set({ limit }, sum);
    },
    { ...options, name: 'usage check' },
  );
}
