import type { Granularity } from '@tautan/proto';
import { DAY_MS } from './quarters.js';
import type { Zone } from './zone.js';

export { granularities, type Granularity } from '@tautan/proto';

const HOUR_MS = 3_600_000;

/**
 * The instants at which the hours, days or months of a zone begin, from the one that `from` lies in to the one that `to`
 * (not included) lies in. An hour begins when clocks show a full one: where they are set back by an hour there are two of
 * the same name; where they are moved by half an hour, one lasts an hour and a half. A day has 23 to 25 of them; one that the
 * calendar skips is not there.
 */
export function bucketStarts(zone: Zone, granularity: Granularity, from: number, to: number): number[] {
  const starts = [granularity === 'hour' ? hourOf(zone, from) : zone.instantOf(floor(zone.localOf(from), granularity))];
  for (;;) {
    const start = starts.at(-1)!;
    const next = granularity === 'hour' ? hourAfter(zone, start) : nextOf(zone, start, granularity);
    if (next >= to) return starts;
    starts.push(next);
  }
}

/** When the hour began that an instant lies in. */
function hourOf(zone: Zone, instant: number): number {
  // Full hours by UTC and the quarters beside them: one of them is the zone's.
  for (let start = Math.floor(instant / (HOUR_MS / 4)) * (HOUR_MS / 4); ; start -= HOUR_MS / 4) {
    if (zone.localOf(start) % HOUR_MS === 0) return start;
  }
}

function hourAfter(zone: Zone, start: number): number {
  let next = start + HOUR_MS;
  while (zone.localOf(next) % HOUR_MS !== 0) next += HOUR_MS / 4;
  return next;
}

function nextOf(zone: Zone, start: number, granularity: 'day' | 'month'): number {
  // Half a day on, clocks that skipped midnight show the day itself.
  let local = floor(zone.localOf(start), granularity);
  for (;;) {
    local = following(local, granularity);
    const next = zone.instantOf(local);
    if (next > start) return next;
  }
}

function floor(local: number, granularity: 'day' | 'month'): number {
  if (granularity === 'day') return Math.floor(local / DAY_MS) * DAY_MS;
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function following(local: number, granularity: 'day' | 'month'): number {
  if (granularity === 'day') return local + DAY_MS;
  const date = new Date(local);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
