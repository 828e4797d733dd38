import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, type DeadLetters } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import type { PlanStore } from './store/plans.js';
import type { StatsStore } from './store/stats.js';

export interface FollowPlansDeps {
  bus: Bus;
  deadLetters: DeadLetters;
  plans: PlanStore;
  stats: StatsStore;
  log: Log;
  /** Within which a transaction that was under way when a plan changed has ended. */
  settleMs: number;
}

const AT_ONCE = 16;

/**
 * Keeps a copy of the workspaces' plans, by which statistics are kept; the newest version wins, however late or often events
 * arrive. After a change to a longer retention, stored statistics are kept longer too; after one to a shorter retention they
 * stay, and new ones expire sooner.
 */
export function followPlans({ bus, deadLetters, plans, stats, log, settleMs }: FollowPlansDeps): {
  stop(): Promise<void>;
} {
  const ending = new AbortController();
  const { signal } = ending;
  const handle = async (event: TautanEvent): Promise<void> => {
    const { workspaceId, version = 0, data } = event as TautanEvent<'workspace.created'>;
    const days = await plans.record(workspaceId, data.plan, version);
    if (days === undefined) return;
    // A transaction that saw the previous plan may still write by it.
    await pause(settleMs, undefined, { signal });
    await stats.keep(workspaceId, days, signal);
    await plans.recordDated(workspaceId);
  };
  const subject = 'events.workspace.>';
  const consumer = consumeEvents(
    bus,
    {
      durable: 'stats-workspace-plans',
      subject,
      atOnce: AT_ONCE,
      handle,
      deadLetters,
      log,
    },
    isTransient,
  );
  const stop = async (): Promise<void> => {
    // An interrupted event is redelivered, here or to another replica.
    ending.abort();
    await consumer.stop();
  };
  return { stop };
}
