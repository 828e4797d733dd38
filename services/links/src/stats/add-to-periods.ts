import type { ClientSession } from 'mongoose';
import type { StatsClick } from '../domain/stats/click.js';
import { Period, type PeriodState } from '../domain/stats/period.js';
import { quarterId, tallyId } from '../domain/stats/subject.js';
import type { SubjectKind, Tally } from '../domain/stats/tally.js';
import type { DaysKept } from '../store/plans.js';
import type { OwnedPeriod, PeriodCollection, StatsStore } from '../store/stats.js';
import type { Addition } from './gather.js';

interface Writing {
  store: StatsStore;
  daysKept: DaysKept;
  session: ClientSession;
}

interface Owned {
  kind: SubjectKind;
  workspaceId: string;
}

/**
 * Adds clicks to days inside a transaction. A day's own document holds its latest clicks only, so that a batch rewrites at
 * most a few kilobytes, however many clicks the day has. A full document is emptied into the day's tally and its quarters of
 * an hour. Every addition writes the day's own document: of two transactions that add to one day, one fails and is retried.
 */
export async function addToPeriods(writing: Writing, days: Map<string, Addition>): Promise<void> {
  const tallies = new Map<string, Owned & { tally: Tally }>();
  const quarters = new Map<string, Addition>();
  await change(writing, 'days', days, (period, addition, id) => {
    divide(quarters, id, addition, period.add(addition.clicks));
    const { tally } = period;
    if (!tally) return period.state();
    tallies.set(tallyId(id), { ...addition, tally });
    return new Period(addition.kind, 'day').state();
  });
  await change(writing, 'days', tallies, (period, { tally }) => {
    period.merge(tally);
    return period.state();
  });
  await change(writing, 'quarters', quarters, (period, { clicks }) => {
    period.add(clicks);
    return period.state();
  });
}

/** Adds a day's clicks to what its quarters of an hour are to be told. */
function divide(
  quarters: Map<string, Addition>,
  day: string,
  { kind, workspaceId }: Owned,
  clicks: StatsClick[],
): void {
  for (const click of clicks) {
    const id = quarterId(day, click.quarter);
    const addition = quarters.get(id);
    if (addition) addition.clicks.push(click);
    else quarters.set(id, { kind, workspaceId, clicks: [click] });
  }
}

/** Reads periods and replaces each by what `next` returns. */
async function change<A extends Owned>(
  { store, daysKept, session }: Writing,
  which: PeriodCollection,
  additions: Map<string, A>,
  next: (period: Period, addition: A, id: string) => PeriodState,
): Promise<void> {
  const stored = await store.load(which, [...additions.keys()], session);
  const changed = new Map<string, OwnedPeriod>();
  for (const [id, addition] of additions) {
    const period = new Period(addition.kind, which === 'days' ? 'day' : 'quarter', stored.get(id));
    changed.set(id, { workspaceId: addition.workspaceId, state: next(period, addition, id) });
  }
  await store.save(which, changed, daysKept, session);
}
