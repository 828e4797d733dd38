import { Gauge, startInterval, type IntervalOptions, type Registry } from '@tautan/kit';
import type { LimitName } from '@tautan/proto/plans';
import { counterKey, monthOf, type CounterKey } from './counter.js';
import type { UsageCounters } from './usage-counters.js';

const PAGE = 200;

export interface Drift extends CounterKey {
  /** Excess of the counter; negative if it is too low. */
  drift: number;
}

interface CheckOptions {
  workspaceId?: string | undefined;
  repair?: boolean;
  at: Date;
  /** Id of the counter after which the page starts; empty for the first page. */
  after?: string;
}

/**
 * Compares a page of counters with the existing records and returns the counters that differ. `next` is the cursor of
 * the next page. Counters of past months are skipped.
 */
export async function checkPage(
  counters: UsageCounters,
  { workspaceId, repair = false, at, after = '' }: CheckOptions,
): Promise<{ drifts: Drift[]; checked: number; next: string | undefined }> {
  const ids = await counters.ids({ after, workspaceId, limit: PAGE });
  const keys = ids.map(counterKey).filter(({ month }) => month === undefined || month >= monthOf(at));
  const drifts: Drift[] = [];
  for (const key of keys) {
    const drift = await counters.drift(key, repair);
    if (drift !== 0) drifts.push({ ...key, drift });
  }
  return { drifts, checked: keys.length, next: ids.length < PAGE ? undefined : ids.at(-1) };
}

/**
 * Compares counters with the existing records as `checkPage` does, page by page to the last one, and yields the
 * counters that differ.
 */
export async function* checkUsage(counters: UsageCounters, options: CheckOptions): AsyncGenerator<Drift> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const { drifts, next } = await checkPage(counters, { ...options, after });
    yield* drifts;
    after = next;
  }
}

/** Runs `checkUsage` periodically and exports the result of the last complete check as `tautan_usage_drift`. */
export function watchUsage(
  counters: UsageCounters,
  { registry, now, ...options }: Omit<IntervalOptions, 'name'> & { registry: Registry; now: () => Date },
): { stop(): Promise<void> } {
  const gauge = new Gauge({
    name: 'tautan_usage_drift',
    help: 'Sum of the absolute differences between usage counters and the actual numbers, as of the last complete check',
    labelNames: ['limit'],
    registers: [registry],
  });
  return startInterval(
    async () => {
      const sums = new Map((Object.keys(counters.limits) as LimitName[]).map((limit) => [limit, 0]));
      for await (const { limit, workspaceId, drift } of checkUsage(counters, { at: now() })) {
        sums.set(limit, sums.get(limit)! + Math.abs(drift));
        options.log.warn(
          { limit, workspaceId, drift },
          'a usage counter differs from the actual number; run tautan-admin usage check --repair',
        );
      }
      for (const [limit, sum] of sums) gauge.set({ limit }, sum);
    },
    { ...options, name: 'usage check' },
  );
}
