import { sleep, type Log } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import type { PlanStore } from './store/plans.js';
import type { StatsStore } from './store/stats.js';

export interface TrackPlansDeps {
  bus: Bus;
  deadLetters: DeadLetters;
  plans: PlanStore;
  stats: StatsStore;
  log: Log;
  /** Maximum remaining duration, in milliseconds, of transactions that are in progress when a plan changes. */
  settleMs: number;
}

const CONCURRENCY = 16;

/**
 * Maintains a copy of the workspaces' plans, which determine the retention of statistics. The newest version wins,
 * however late or often events arrive. Upgrades extend the expiry of stored statistics; downgrades only affect new
 * ones.
 */
export function trackPlans({ bus, deadLetters, plans, stats, log, settleMs }: TrackPlansDeps): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;
  const handle = async (event: TautanEvent): Promise<void> => {
    const { workspaceId, version = 0, data } = event as TautanEvent<'workspace.created'>;
    const extension = await plans.record(workspaceId, data.plan, version);
    if (!extension) return;
    // A transaction in progress may still use the previous plan.
    await sleep(settleMs, { signal });
    await stats.extendRetention(workspaceId, extension.days, signal);
    await plans.recordRetentionApplied(workspaceId, extension.version);
  };
  const subject = 'events.workspace.>';
  const consumer = consumeEvents(
    bus,
    {
      durable: 'stats-workspace-plans',
      subject,
      concurrency: CONCURRENCY,
      handle,
      deadLetters,
      log,
    },
    isTransient,
  );
  const stop = async (): Promise<void> => {
    // An event whose handling is interrupted is redelivered to any replica.
    stopping.abort();
    await consumer.stop();
  };
  return { stop };
}
