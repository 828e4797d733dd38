import { fail } from '../errors.js';
import { typeName } from '../values.js';
import { isNullish } from './args.js';

/** How far a time zone is ahead of UTC at an instant, in ms. */
export type Zone = (utc: number) => number;

const MINUTE = 60_000;
export const UTC: Zone = () => 0;

const zones = new Map<string, Zone>();

/** The zone of an Olson name ("Europe/London") or an offset ("+05:30", "-0100", "+03"). Throws 40485 on others. */
export function zoneOf(value: unknown): Zone {
  if (typeof value !== 'string') return fail(40517, `timezone must evaluate to a string, found ${typeName(value)}`);
  let zone = zones.get(value);
  if (!zone) zones.set(value, (zone = makeZone(value)));
  return zone;
}

/** UTC where no zone is given; undefined where it is null, and so is the result. */
export function optionalZone(value: unknown, given: boolean): Zone | undefined {
  if (!given) return UTC;
  return isNullish(value) ? undefined : zoneOf(value);
}

function makeZone(name: string): Zone {
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(name);
  if (offset) {
    const ms = (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * MINUTE * (offset[1] === '-' ? -1 : 1);
    return () => ms;
  }
  if (/^(UTC|GMT|Z)$/.test(name)) return UTC;
  try {
    return olsonZone(name);
  } catch {
    return fail(40485, `unrecognized time zone identifier: "${name}"`);
  }
}

function olsonZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  });
  return (utc) => {
    const parts = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, value]));
    const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
    const local = utcOf(
      year,
      Number(parts.month),
      Number(parts.day),
      Number(parts.hour),
      Number(parts.minute),
      Number(parts.second),
    );
    return local - Math.floor(utc / 1000) * 1000;
  };
}

/** Milliseconds of a UTC date; months and days may overflow into the next ones. Years below 100 are themselves. */
export function utcOf(year: number, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, ms);
  return date.getTime();
}

/** The instant at which clocks of the zone show a local time, given as if it were UTC. */
export function toUtc(local: number, zone: Zone): number {
  const guess = local - zone(local);
  return local - zone(guess);
}
