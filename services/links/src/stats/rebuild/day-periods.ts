import { Period } from '../domain/period.js';
import { quarterId, tallyId } from '../domain/subject.js';
import type { OwnedPeriod } from '../store/stats.js';
import type { Addition } from '../collect-additions.js';

/** A day of a subject, with its quarter hours by id if it has a tally. */
interface Day {
  workspaceId: string;
  period: Period;
  quarters: Map<string, Period>;
}

/** Days of subjects whose statistics are being rebuilt. */
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

  /**
   * Returns the periods to write for the days with these ids, including the clicks of `additions`: `days` contains the
   * documents of the days and their tallies, and `quarters` the quarter hours. `size` is the number of days. Does not
   * change this object.
   */
  with(
    additions: Map<string, Addition>,
    ids: string[],
  ): Record<'days' | 'quarters', Map<string, OwnedPeriod>> & { size: number } {
    const part = new DayPeriods();
    const chosen = new Map<string, Addition>();
    for (const id of ids) {
      const [day, addition] = [this.#days.get(id), additions.get(id)];
      if (day) part.#days.set(id, copyOf(day));
      if (addition) chosen.set(id, addition);
    }
    part.add(chosen);
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

/**
 * Returns the day's own document and, if there is one, its tally. A day with a tally gets an empty document of its own,
 * so that two transactions that write the day conflict.
 */
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
