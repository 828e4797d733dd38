import type { ClientSession } from 'mongoose';
import type { StatsClick } from './domain/click.js';
import { Period, type PeriodState } from './domain/period.js';
import { dayBefore, dayIdOf, quarterId, tallyId } from './domain/subject.js';
import type { SubjectKind, Tally } from './domain/tally.js';
import type { DaysKept } from './store/plans.js';
import type { OwnedPeriod, PeriodCollection, StatsStore } from './store/stats.js';
import type { Addition } from './gather.js';

export interface Writing {
  store: StatsStore;
  daysKept: DaysKept;
  session: ClientSession;
}

export interface Owned {
  kind: SubjectKind;
  workspaceId: string;
}

interface TallyAddition extends Owned {
  tally: Tally;
}

/**
 * Adds clicks to days inside a transaction. A day's own document holds its latest clicks only, so that a batch rewrites at
 * most a few kilobytes, however many clicks the day has. A full document is emptied into the day's tally and its quarters of
 * an hour. Every addition writes the day's own document: of two transactions that add to one day, one fails and is retried.
 * With a subject's first tally of a day, what is left of the day before goes into that day's tally: a busy year is read
 * as one document a day.
 */
export async function addToPeriods(writing: Writing, days: Map<string, Addition>): Promise<void> {
  const quarters = new Map<string, Addition>();
  const full = new Map<string, TallyAddition>();
  await change(writing, 'days', days, (period, addition, id) => {
    divide(quarters, id, addition, period.add(addition.clicks));
    const { tally } = period;
    if (!tally) return period.state();
    full.set(id, { ...addition, tally });
    return new Period(addition.kind, 'day').state();
  });
  const begun = await addToTallies(writing, full);
  await addRests(writing, new Map(begun.map((id) => [dayBefore(id), full.get(id)!])), quarters);
}

/**
 * Adds what days hold beside their tallies to these and to the quarters of an hour, `quarters` with it, and removes it there.
 * Days that have no tally stay as they are.
 */
export async function addRests(
  writing: Writing,
  days: Map<string, Owned>,
  quarters = new Map<string, Addition>(),
): Promise<void> {
  const rests = await restsOf(writing, days);
  for (const [id, rest] of rests) divide(quarters, id, rest, rest.clicks);
  await addToTallies(writing, rests);
  await writing.store.remove([...rests.keys()], writing.session);
  await change(writing, 'quarters', quarters, (period, { clicks }) => {
    period.add(clicks);
    return period.state();
  });
}

/** Adds to the tallies of days. Answers the days that had none. */
async function addToTallies(writing: Writing, days: Map<string, TallyAddition>): Promise<string[]> {
  const fresh: string[] = [];
  const tallies = new Map(Array.from(days, ([id, addition]) => [tallyId(id), addition]));
  await change(writing, 'days', tallies, (period, { tally }, id) => {
    if (!period.tally) fresh.push(dayIdOf(id));
    period.merge(tally);
    return period.state();
  });
  return fresh;
}

/** What days hold beside their tallies. */
async function restsOf({ store, session }: Writing, days: Map<string, Owned>) {
  const ids = [...days.keys()];
  const stored = await store.load('days', [...ids, ...ids.map(tallyId)], session);
  const rests = new Map<string, TallyAddition & { clicks: StatsClick[] }>();
  for (const [id, { kind, workspaceId }] of days) {
    const period = new Period(kind, 'day', stored.get(id));
    if (!stored.has(id) || !stored.has(tallyId(id)) || !period.log) continue;
    const clicks = period.countTogether();
    rests.set(id, { kind, workspaceId, clicks, tally: period.tally! });
  }
  return rests;
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
