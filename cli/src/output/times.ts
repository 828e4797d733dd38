const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Further away than this, days, a date says more than a distance. */
const NEAR_DAYS = 30;
/** What is so near to a whole unit counts as one: 7d is "in 7 days" a moment later, too. */
const NEARLY = 0.02;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dateFields = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const date = new Intl.DateTimeFormat('en-GB', dateFields);
const moment = new Intl.DateTimeFormat('en-GB', {
  ...dateFields,
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** An ISO time as people say it: "2 hours ago", "in 3 days", "31 Jan 2030". */
export function ago(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  if (Math.abs(distance) > NEAR_DAYS * 86_400_000) return date.format(Date.parse(iso));
  for (const [unit, ms] of units) {
    if (Math.abs(distance) >= ms * (1 - NEARLY)) {
      return relative.format(Math.trunc(distance / ms + Math.sign(distance) * NEARLY), unit);
    }
  }
  return distance > 0 ? 'in a moment' : 'just now';
}

/** Returns the date of an ISO time, such as "31 Jan 2030", in the time zone of this machine unless another is given. */
export const dateOf = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...dateFields, timeZone }).format(Date.parse(iso));

/** An ISO time in full, in the time zone of this machine, with its distance. */
export function fully(iso: string, now = Date.now()): string {
  const distance = ago(iso, now);
  const exact = moment.format(Date.parse(iso));
  return distance === date.format(Date.parse(iso)) ? exact : `${exact} (${distance})`;
}

const spans = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Reads a moment as it is typed: a span from now (30m, 12h, 7d, 2w), a date (its first moment here) or an ISO 8601 time
 * (of this time zone unless it names one). Answers ISO 8601 UTC, or undefined for anything else.
 */
export function readMoment(text: string, now = Date.now()): string | undefined {
  const span = /^(\d{1,6})([mhdw])$/.exec(text);
  if (span) return iso(now + Number(span[1]) * spans[span[2] as keyof typeof spans]);
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  return iso(Date.parse(text.includes('T') ? text : `${text}T00:00`));
}

const iso = (ms: number) => (Number.isNaN(new Date(ms).getTime()) ? undefined : new Date(ms).toISOString());
