import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Log } from '@tautan/kit';
import { inTransaction, type Mongo } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import { ClosedDay } from './domain/closed-day.js';
import { DayUniques } from './domain/day-uniques.js';
import { Period } from './domain/period.js';
import { quarterOfId, quartersOf, tallyId } from './domain/subject.js';
import type { VisitorSketch } from './domain/visitor-sketch.js';
import type { PlanStore } from './store/plans.js';
import type { StatsStore } from './store/stats.js';
import { moveToTallies, type Writing } from './add-to-periods.js';

export interface CloseDaysDeps {
  connection: Mongo['connection'];
  stats: StatsStore;
  plans: PlanStore;
  log: Log;
}

interface Day {
  id: string;
  workspaceId: string;
}

const BATCH = 100;
const TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * Closes past days of links and QR codes: stores the numbers of unique visitors of several parts of each day
 * (`DayUniques`), so that most statistics, in any time zone, are computed without reading the day's quarter hours.
 * Replicas may call this concurrently. Returns the number of days closed, including those that another replica closed
 * first. The next call retries the days that could not be closed.
 */
export async function closeDays(deps: CloseDaysDeps, now: Date, signal?: AbortSignal): Promise<number> {
  for (let closed = 0; ;) {
    const days = await deps.stats.daysToClose(now, BATCH);
    const before = closed;
    for (const day of days) {
      if (signal?.aborted) return closed;
      if (await closeOrLog(deps, day)) closed += 1;
      // Yields, so that clicks are applied in between.
      await yieldToEventLoop();
    }
    if (days.length < BATCH || closed === before) return closed;
  }
}

async function closeOrLog({ connection, stats, plans, log }: CloseDaysDeps, day: Day): Promise<boolean> {
  try {
    await inTransaction(connection, TRANSACTION_TIMEOUT_MS, async (session) => {
      if (!(await stats.beginClosing(day.id, session))) return;
      const retentionDays = await plans.retentionDays([day.workspaceId], session);
      await close({ store: stats, retentionDays, session }, day);
    });
    return true;
  } catch (error) {
    log.warn({ err: error, day: day.id }, 'statistics of a day could not be closed');
    return false;
  }
}

async function close(writing: Writing, { id, workspaceId }: Day): Promise<void> {
  const { store, retentionDays, session } = writing;
  await moveToTallies(writing, new Map([[id, { kind: 'link', workspaceId }]]));
  const state = (await store.load('days', [tallyId(id)], session)).get(tallyId(id));
  if (!state) return;
  const uniques = DayUniques.of(await visitorsByQuarter(store, id, session));
  const closed = ClosedDay.stateOf(new Period('link', 'day', state).tally!, uniques);
  await store.save('days', new Map([[tallyId(id), { workspaceId, state, closed }]]), retentionDays, session);
}

async function visitorsByQuarter(
  store: StatsStore,
  day: string,
  session: ClientSession,
): Promise<Map<number, VisitorSketch>> {
  const visitors = new Map<number, VisitorSketch>();
  for await (const { id, state } of store.read('quarters', [quartersOf(day)], session)) {
    const period = new Period('link', 'quarter', state);
    period.toTally();
    visitors.set(quarterOfId(id), period.tally!.visitors);
  }
  return visitors;
}
