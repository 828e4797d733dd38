import { maxEntries, startInterval, type Log } from '@tautan/kit';
import { isDuplicateKey, type Transact } from '@tautan/kit/mongo';
import { monthOf } from '@tautan/plans/usage';
import type { EventData, Plans } from '@tautan/proto';
import { LRUCache } from 'lru-cache';
import type { ClickUsageStore } from './store/click-usage.js';
import type { PlanStore } from './store/plans.js';
import type { UsageNoticeStore } from './store/usage-notices.js';

/** Percentages of the limit at which a workspace is notified. */
const THRESHOLDS = [80, 100] as const;
type Threshold = (typeof THRESHOLDS)[number];

const MAX_WORKSPACES = 100_000;
const MAX_BATCH = 200;
/** Usage is read again if the last read is this old, in milliseconds, because other replicas count clicks as well. */
const REREAD_MS = 60_000;
/**
 * Usage is also read again when this replica has counted this share of the clicks that were left before the next
 * threshold.
 */
const REREAD_SHARE = 0.25;

/** The state of a workspace since its usage was last read. */
interface Watched {
  month: string;
  /** Clicks left before the next threshold at the last read; 0 until the first read. */
  left: number;
  readAt: number;
  /** Clicks that this replica has counted since the last read. */
  countedSince: number;
}

export interface ClickThresholdsDeps {
  clickUsage: ClickUsageStore;
  planStore: PlanStore;
  plans: Plans;
  notices: UsageNoticeStore;
  transact: Transact;
  ready: () => boolean;
  log: Log;
  now: () => Date;
  everyMs: number;
}

/**
 * Emits `usage.threshold_reached` when a workspace's clicks of the month reach 80% and 100% of its plan's limit,
 * exactly once each across replicas. Usage is only read when a threshold may have been reached, so that counting
 * stays cheap.
 */
export class ClickThresholds {
  readonly #watched = new LRUCache<string, Watched>(maxEntries(MAX_WORKSPACES));
  readonly #due = new Set<string>();
  readonly #interval: { stop(): Promise<void> };

  constructor(private readonly deps: ClickThresholdsDeps) {
    const { ready, log, everyMs } = deps;
    this.#interval = startInterval(() => this.check(), { name: 'click thresholds', everyMs, ready, log });
  }

  /** Records the numbers of counted clicks, keyed by `<workspace id>/<month>/<partition>`. */
  record(clicks: ReadonlyMap<string, number>): void {
    const [current, at] = [monthOf(this.deps.now()), performance.now()];
    for (const [id, count] of clicks) {
      const [workspaceId, month] = id.split('/') as [string, string];
      if (month !== current) continue;
      const known = this.#watched.get(workspaceId);
      const watched = known?.month === month ? known : { month, left: 0, readAt: -REREAD_MS, countedSince: 0 };
      watched.countedSince += count;
      this.#watched.set(workspaceId, watched);
      const { left, readAt, countedSince } = watched;
      if (countedSince >= left * REREAD_SHARE || at - readAt >= REREAD_MS) this.#due.add(workspaceId);
    }
  }

  /** Reads the usage of workspaces that may have reached a threshold, and emits an event for each threshold reached. */
  async check(): Promise<void> {
    while (this.#due.size > 0) {
      const ids = [...this.#due].slice(0, MAX_BATCH);
      for (const id of ids) this.#due.delete(id);
      await this.#checkSome(ids).catch((error: unknown) => {
        for (const id of ids) this.#due.add(id);
        throw error;
      });
    }
  }

  stop(): Promise<void> {
    return this.#interval.stop();
  }

  async #checkSome(ids: string[]): Promise<void> {
    const { clickUsage, planStore, plans, now } = this.deps;
    const month = monthOf(now());
    const known = await planStore.plansOf(ids);
    const usage = await clickUsage.read(ids, month);
    for (const workspaceId of ids) {
      const plan = known.get(workspaceId);
      const max = plan ? plans[plan].limits.clicks : null;
      const used = usage.get(workspaceId)!;
      const next = max === null ? undefined : THRESHOLDS.find((each) => used < clicksAt(max, each));
      const left = next ? clicksAt(max!, next) - used : Infinity;
      this.#watched.set(workspaceId, { month, left, readAt: performance.now(), countedSince: 0 });
      if (!plan || max === null) continue;
      for (const threshold of THRESHOLDS.filter((each) => used >= clicksAt(max, each))) {
        await this.#emitOnce(workspaceId, { limit: 'clicks', period: month, threshold, used, max, plan });
      }
    }
  }

  async #emitOnce(workspaceId: string, data: EventData<'usage.threshold_reached'>): Promise<void> {
    const { transact, notices } = this.deps;
    const reached = { workspaceId, period: data.period, threshold: data.threshold };
    if (await notices.exists(reached)) return;
    const emit = transact(null, async (tx) => {
      await notices.insert(reached, tx.session);
      const target = { type: 'workspace', id: workspaceId, label: `clicks (${data.threshold}%)` };
      tx.emit({ type: 'usage.threshold_reached', workspaceId, target, data });
    });
    await emit.catch((error: unknown) => {
      // Another replica emitted it.
      if (!isDuplicateKey(error)) throw error;
    });
  }
}

/** Returns the number of clicks at which a threshold is reached. */
const clicksAt = (max: number, threshold: Threshold): number => Math.ceil((max * threshold) / 100);
