import type { ClientSession } from 'mongoose';
import type { StatsClick } from './domain/click.js';
import { Period, type PeriodState } from './domain/period.js';
import { dayBefore, dayIdOf, quarterId, tallyId } from './domain/subject.js';
import type { SubjectKind, Tally } from './domain/tally.js';
import type { RetentionDaysOf } from './store/plans.js';
import type { OwnedPeriod, PeriodCollection, StatsStore } from './store/stats.js';
import type { Addition } from './collect-additions.js';

/** The transaction that writes statistics, and what it needs. */
export interface Writing {
  store: StatsStore;
  retentionDays: RetentionDaysOf;
  session: ClientSession;
}

/** The kind of a subject, and the workspace that it belongs to. */
export interface Owned {
  kind: SubjectKind;
  workspaceId: string;
}

interface TallyAddition extends Owned {
  tally: Tally;
}

/**
 * Adds clicks to days within a transaction. A day's own document only holds its latest clicks, so that a batch rewrites
 * a few kilobytes, however many clicks the day has. A full document is moved to the day's tally and its quarter hours.
 * Every addition writes the day's own document, so that two concurrent transactions for one day conflict: one fails and
 * is retried. When the tally of a day is created, the latest clicks of the subject's previous day are moved to the
 * previous day's tally, if it exists, so that a busy year is read as one document per day.
 */
export async function addToPeriods(writing: Writing, days: Map<string, Addition>): Promise<void> {
  const quarters = new Map<string, Addition>();
  const full = new Map<string, TallyAddition>();
  await change(writing, 'days', days, (period, addition, id) => {
    addToQuarters(quarters, id, addition, period.add(addition.clicks));
    const { tally } = period;
    if (!tally) return period.state();
    full.set(id, { ...addition, tally });
    return new Period(addition.kind, 'day').state();
  });
  const firstTallies = await addToTallies(writing, full);
  await moveToTallies(writing, new Map(firstTallies.map((id) => [dayBefore(id), full.get(id)!])), quarters);
}

/**
 * Moves the latest clicks of days to their tallies and quarter hours, and adds `quarters` to the latter. Days without a
 * tally are not changed.
 */
export async function moveToTallies(
  writing: Writing,
  days: Map<string, Owned>,
  quarters = new Map<string, Addition>(),
): Promise<void> {
  const untallied = await untalliedClicks(writing, days);
  for (const [id, rest] of untallied) addToQuarters(quarters, id, rest, rest.clicks);
  await addToTallies(writing, untallied);
  await writing.store.remove([...untallied.keys()], writing.session);
  await change(writing, 'quarters', quarters, (period, { clicks }) => {
    period.add(clicks);
    return period.state();
  });
}

/** Adds to the tallies of days. Returns the ids of the days that had none. */
async function addToTallies(writing: Writing, days: Map<string, TallyAddition>): Promise<string[]> {
  const withoutTally: string[] = [];
  const tallies = new Map(Array.from(days, ([id, addition]) => [tallyId(id), addition]));
  await change(writing, 'days', tallies, (period, { tally }, id) => {
    if (!period.tally) withoutTally.push(dayIdOf(id));
    period.merge(tally);
    return period.state();
  });
  return withoutTally;
}

/** Returns the latest clicks of days that have a tally. */
async function untalliedClicks({ store, session }: Writing, days: Map<string, Owned>) {
  const ids = [...days.keys()];
  const stored = await store.load('days', [...ids, ...ids.map(tallyId)], session);
  const untallied = new Map<string, TallyAddition & { clicks: StatsClick[] }>();
  for (const [id, { kind, workspaceId }] of days) {
    const period = new Period(kind, 'day', stored.get(id));
    if (!stored.has(id) || !stored.has(tallyId(id)) || !period.log) continue;
    const clicks = period.toTally();
    untallied.set(id, { kind, workspaceId, clicks, tally: period.tally! });
  }
  return untallied;
}

/** Adds a day's clicks to the additions of its quarter hours. */
function addToQuarters(
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

/** Reads periods and replaces each with the result of `next`. */
async function change<A extends Owned>(
  { store, retentionDays, session }: Writing,
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
  await store.save(which, changed, retentionDays, session);
}
