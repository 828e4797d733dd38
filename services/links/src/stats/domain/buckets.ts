import type { Granularity } from '@tautan/proto';
import { DAY_MS } from './quarters.js';
import type { Zone } from './zone.js';

export { granularities, type Granularity } from '@tautan/proto';

const HOUR_MS = 3_600_000;

/**
 * Returns the instants at which the hours, days or months of a zone begin, from the one that contains `from` to the
 * last one that begins before `to`. An hour begins when local clocks show minute 0: if they are set back by an hour, the
 * same hour occurs twice; if they move by half an hour, one hour lasts 90 minutes. A day does not always have 24
 * hours; days that the calendar skips are omitted.
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

/** Returns the start of the hour that contains an instant. */
function hourOf(zone: Zone, instant: number): number {
  // Since 2000, local hours begin at a UTC quarter hour (`readRange` rejects earlier dates). Search backwards for the
  // latest quarter hour with minute 0 in local time.
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
  return zone.instantOf(following(floor(zone.localOf(start), granularity), granularity));
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
