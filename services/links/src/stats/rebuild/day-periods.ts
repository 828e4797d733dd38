import { Period } from '../domain/period.js';
import { quarterId, tallyId } from '../domain/subject.js';
import type { OwnedPeriod } from '../store/stats.js';
import type { Addition } from '../gather.js';

/** A day of a subject, with its quarters of an hour by their ids where it is counted together. */
interface Day {
  workspaceId: string;
  period: Period;
  quarters: Map<string, Period>;
}

/** Days of subjects in the making. */
export class DayPeriods {
  readonly #days = new Map<string, Day>();

  ids(): Iterable<string> {
    return this.#days.keys();
  }

  add(additions: Map<string, Addition>): void {
    for (const [id, { kind, workspaceId, clicks }] of additions) {
      let day = this.#days.get(id);
      if (!day) this.#days.set(id, (day = { workspaceId, period: new Period(kind, 'day'), quarters: new Map() }));
      for (const click of day.period.add(clicks)) quarterOf(day, quarterId(id, click.quarter)).add([click]);
    }
  }

  /** Those of the days that are asked for, with further clicks that this itself does not keep; and their number. */
  with(
    additions: Map<string, Addition>,
    ids: string[],
  ): Record<'days' | 'quarters', Map<string, OwnedPeriod>> & { size: number } {
    const part = new DayPeriods();
    const own = new Map<string, Addition>();
    for (const id of ids) {
      const [day, addition] = [this.#days.get(id), additions.get(id)];
      if (day) part.#days.set(id, copyOf(day));
      if (addition) own.set(id, addition);
    }
    part.add(own);
    const days = [...part.#days];
    return {
      size: days.length,
      days: new Map(days.flatMap(([id, day]) => [...ownPeriods(id, day)])),
      quarters: new Map(
        days.flatMap(([, { workspaceId, quarters }]) =>
          Array.from(quarters, ([id, quarter]) => [id, { workspaceId, state: quarter.state() }] as const),
        ),
      ),
    };
  }
}

/** The day's own document, and its tally: the former is always there, so that two transactions that write the day conflict. */
function ownPeriods(id: string, { workspaceId, period }: Day): Map<string, OwnedPeriod> {
  const state = period.state();
  if ('log' in state) return new Map([[id, { workspaceId, state }]]);
  const empty = new Period(period.kind, 'day').state();
  return new Map([
    [id, { workspaceId, state: empty }],
    [tallyId(id), { workspaceId, state }],
  ]);
}

function quarterOf({ period, quarters }: Day, id: string): Period {
  let quarter = quarters.get(id);
  if (!quarter) quarters.set(id, (quarter = new Period(period.kind, 'quarter')));
  return quarter;
}

const copyOf = ({ workspaceId, period, quarters }: Day): Day => ({
  workspaceId,
  period: copyOfPeriod(period),
  quarters: new Map(Array.from(quarters, ([id, quarter]) => [id, copyOfPeriod(quarter)])),
});

const copyOfPeriod = (period: Period): Period =>
  new Period(period.kind, period.length, structuredClone(period.state()));
