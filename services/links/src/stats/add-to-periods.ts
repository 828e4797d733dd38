import type { ClientSession } from 'mongoose';
import { Period, type PeriodState } from '../domain/stats/period.js';
import { quarterId } from '../domain/stats/subject.js';
import type { PeriodCollection, StatsStore } from '../store/stats.js';
import type { Addition } from './gather.js';

/**
 * Adds clicks to days, and to quarters of those days that are counted together, inside a transaction. What it reads it
 * writes: of two transactions that add to one period, one fails and is done again.
 */
export async function addToPeriods(store: StatsStore, days: Map<string, Addition>, session: ClientSession) {
  const quarters = new Map<string, Addition>();
  await addTo(store, 'days', days, session, (day, kind, clicks) => {
    for (const click of clicks) {
      const id = quarterId(day, click.quarter);
      const addition = quarters.get(id);
      if (addition) addition.clicks.push(click);
      else quarters.set(id, { kind, clicks: [click] });
    }
  });
  await addTo(store, 'quarters', quarters, session, () => {});
}

async function addTo(
  store: StatsStore,
  which: PeriodCollection,
  additions: Map<string, Addition>,
  session: ClientSession,
  divide: (id: string, kind: Addition['kind'], clicks: Addition['clicks']) => void,
): Promise<void> {
  const stored = await store.load(which, [...additions.keys()], session);
  const changed = new Map<string, PeriodState>();
  for (const [id, { kind, clicks }] of additions) {
    const period = new Period(kind, which === 'days' ? 'day' : 'quarter', stored.get(id));
    divide(id, kind, period.add(clicks));
    changed.set(id, period.state());
  }
  await store.save(which, changed, session);
}
