import { Period, type PeriodState } from '../../domain/stats/period.js';
import { quarterId } from '../../domain/stats/subject.js';
import type { Addition } from '../gather.js';

/** Days of subjects in the making, with the quarters of an hour of those that are counted together. */
export class DayPeriods {
  readonly #days = new Map<string, Period>();
  /** By the day's id, then by the quarter's. */
  readonly #quarters = new Map<string, Map<string, Period>>();

  ids(): Iterable<string> {
    return this.#days.keys();
  }

  add(additions: Map<string, Addition>): void {
    for (const [id, { kind, clicks }] of additions) {
      let day = this.#days.get(id);
      if (!day) this.#days.set(id, (day = new Period(kind, 'day')));
      for (const click of day.add(clicks)) this.#quarterOf(id, quarterId(id, click.quarter), kind).add([click]);
    }
  }

  /** Those of the days that are asked for, with further clicks that this itself does not keep. */
  with(additions: Map<string, Addition>, ids: string[]): Record<'days' | 'quarters', Map<string, PeriodState>> {
    const part = new DayPeriods();
    const own = new Map<string, Addition>();
    for (const id of ids) {
      const [day, addition] = [this.#days.get(id), additions.get(id)];
      if (day) part.#days.set(id, copyOf(day));
      for (const [quarter, period] of this.#quarters.get(id) ?? []) part.#quartersOf(id).set(quarter, copyOf(period));
      if (addition) own.set(id, addition);
    }
    part.add(own);
    const quarters = [...part.#quarters.values()].flatMap((each) => [...each]);
    return { days: statesOf(part.#days), quarters: statesOf(quarters) };
  }

  #quartersOf(day: string): Map<string, Period> {
    let quarters = this.#quarters.get(day);
    if (!quarters) this.#quarters.set(day, (quarters = new Map<string, Period>()));
    return quarters;
  }

  #quarterOf(day: string, id: string, kind: Period['kind']): Period {
    const quarters = this.#quartersOf(day);
    let quarter = quarters.get(id);
    if (!quarter) quarters.set(id, (quarter = new Period(kind, 'quarter')));
    return quarter;
  }
}

const copyOf = (period: Period): Period => new Period(period.kind, period.length, structuredClone(period.state()));

const statesOf = (periods: Iterable<[string, Period]>): Map<string, PeriodState> =>
  new Map(Array.from(periods, ([id, period]) => [id, period.state()]));
