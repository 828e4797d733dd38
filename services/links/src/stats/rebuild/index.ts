import { fail, type Log } from '@tautan/kit';
import { DAY_MS, startOfDay } from '../../domain/stats/quarters.js';
import { utcDay } from '../../domain/visitor.js';
import { clickStreamState } from './click-messages.js';
import { rebuildDay, type RebuildDeps } from './rebuild-day.js';

/** A range of whole UTC days, both included, YYYY-MM-DD. */
export interface RebuildRange {
  from: string;
  to: string;
}

/**
 * Makes the statistics of whole days anew out of what the stream CLICKS still holds. Rejects, before anything is changed,
 * when that is not all of a day, and for a range that is none.
 */
export async function rebuildStats(deps: RebuildDeps & { log: Log }, range: RebuildRange): Promise<void> {
  const [from, to] = [dayOf(range.from, '--from'), dayOf(range.to, '--to')];
  if (from > to) throw fail('VALIDATION_ERROR', '--from must not be after --to.');
  const { first, firstAt } = await clickStreamState(deps.bus);
  if (first > 1 && firstAt > from) {
    const whole = utcDay(startOfDay(firstAt) + DAY_MS);
    throw fail('VALIDATION_ERROR', `The stream has no whole day before ${whole}; nothing was changed.`);
  }
  for (let day = from; day <= to; day += DAY_MS) {
    const figures = await rebuildDay(deps, day);
    deps.log.info({ day: utcDay(day), ...figures }, 'statistics rebuilt');
  }
}

function dayOf(text: string, option: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : NaN;
  if (Number.isNaN(ms) || utcDay(ms) !== text) throw fail('VALIDATION_ERROR', `${option} must be a day, YYYY-MM-DD.`);
  return ms;
}
