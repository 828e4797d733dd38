import type { ClientSession } from 'mongoose';
import { Period } from '../domain/stats/period.js';
import { quarterId } from '../domain/stats/subject.js';
import type { DaysKept } from '../store/plans.js';
import type { OwnedPeriod, PeriodCollection, StatsStore } from '../store/stats.js';
import type { Addition } from './gather.js';

interface Writing {
  store: StatsStore;
  daysKept: DaysKept;
  session: ClientSession;
}

/**
 * Adds clicks to days, and to quarters of those days that are counted together, inside a transaction. What it reads it
 * writes: of two transactions that add to one period, one fails and is done again.
 */
export async function addToPeriods(writing: Writing, days: Map<string, Addition>): Promise<void> {
  const quarters = new Map<string, Addition>();
  await addTo(writing, 'days', days, (day, { kind, workspaceId }, clicks) => {
    for (const click of clicks) {
      const id = quarterId(day, click.quarter);
      const addition = quarters.get(id);
      if (addition) addition.clicks.push(click);
      else quarters.set(id, { kind, workspaceId, clicks: [click] });
    }
  });
  await addTo(writing, 'quarters', quarters, () => {});
}

async function addTo(
  { store, daysKept, session }: Writing,
  which: PeriodCollection,
  additions: Map<string, Addition>,
  divide: (id: string, addition: Addition, clicks: Addition['clicks']) => void,
): Promise<void> {
  const stored = await store.load(which, [...additions.keys()], session);
  const changed = new Map<string, OwnedPeriod>();
  for (const [id, addition] of additions) {
    const period = new Period(addition.kind, which === 'days' ? 'day' : 'quarter', stored.get(id));
    divide(id, addition, period.add(addition.clicks));
    changed.set(id, { workspaceId: addition.workspaceId, state: period.state() });
  }
  await store.save(which, changed, daysKept, session);
}
