import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@tautan/kit';
import { consumeEvents, type Bus } from '@tautan/kit/bus';
import { isTransient, keepDeadLetter } from '@tautan/kit/mongo';
import type { TautanEvent } from '@tautan/proto';
import type { Models } from '../store/models.js';
import type { PlanStore } from '../store/plans.js';
import type { StatsStore } from '../store/stats.js';

export interface FollowPlansDeps {
  bus: Bus;
  models: Pick<Models, 'deadLetters'>;
  plans: PlanStore;
  stats: StatsStore;
  log: Log;
  /** Within which a transaction that was under way when a plan changed has ended. */
  settleMs: number;
}

/** The events that tell of plans: of workspaces, and of what they subscribe to. */
const subjects = ['workspace', 'subscription'] as const;
/** Dating what is stored of a large workspace takes its time. */
const ACK_WAIT_MS = 600_000;
const AT_ONCE = 16;

/**
 * Follows the plans of workspaces, by which statistics are kept. After a change to a longer time, what is stored is kept
 * longer too; after one to a shorter time it stays, and what comes goes sooner.
 */
export function followPlans({ bus, models, plans, stats, log, settleMs }: FollowPlansDeps): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const handle = async (event: TautanEvent): Promise<void> => {
    const { workspaceId, at, data } = event as TautanEvent<'workspace.created' | 'subscription.updated'>;
    const days = await plans.note(workspaceId, data.plan, new Date(at));
    if (days === undefined) return;
    // A transaction that saw the plan before may still write by it.
    await pause(settleMs, undefined, { signal });
    await stats.keep(workspaceId, days, signal);
    await plans.noteDated(workspaceId);
  };
  const consumers = subjects.map((subject) =>
    consumeEvents(
      bus,
      {
        durable: `stats-${subject}-plans`,
        subject: `events.${subject}.>`,
        atOnce: AT_ONCE,
        ackWaitMs: ACK_WAIT_MS,
        handle,
        setAside: (payload, error) => keepDeadLetter(models.deadLetters, { subject: `events.${subject}`, payload, error, at: new Date() }), // prettier-ignore
        log,
      },
      isTransient,
    ),
  );
  const stop = async (): Promise<void> => {
    // What is broken off comes again, here or at another replica.
    ending.abort();
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  };
  return { stop };
}
