import { utcDay } from '../../redirects/domain/visitor.js';
import { DAY_MS } from './quarters.js';
import type { SubjectKind } from './tally.js';

/** The subject of statistics: a link, a QR code, or a workspace within one partition of clicks. */
export interface Subject {
  kind: SubjectKind;
  id: string;
  /** Set only for a workspace, so that partitions never write the same document. */
  partition?: number;
}

/**
 * Returns the id of a subject's day: `<id>/<YYYY-MM-DD>`, followed by `/<partition>` for a workspace. The days of a
 * link or QR code are one range of ids, and so are those of a workspace with all its partitions.
 */
export function dayId({ id, partition }: Subject, day: string): string {
  return partition === undefined ? `${id}/${day}` : `${id}/${day}/${twoDigits(partition)}`;
}

const TALLY = '/tally';

/** Returns the id of a day's tally, in the collection of days. */
export const tallyId = (id: string): string => `${id}${TALLY}`;

/**
 * Returns whether an id is that of a link's or QR code's tally. Only the days of links and QR codes are closed (see
 * `closeDays`).
 */
export const isTallyToClose = (id: string): boolean => id.endsWith(TALLY) && id.split('/').length === 3;

/** Returns the id of a day. The given id is that of the day itself or of the day's tally. */
export const dayIdOf = (id: string): string => (id.endsWith(TALLY) ? id.slice(0, -TALLY.length) : id);

/** Returns the id of a quarter hour of a day. */
export const quarterId = (id: string, quarter: number): string => `${id}/${twoDigits(quarter)}`;

/** Returns the range of ids of a day's quarter hours. */
export const quartersOf = (id: string): { $gte: string; $lt: string } => ({ $gte: `${id}/`, $lt: `${id}0` });

/**
 * Returns the range of the ids of a subject's days, with their tallies or quarter hours, from the day of `from` to that
 * of `to` (inclusive; both in Unix milliseconds).
 */
export const daysBetween = (id: string, from: number, to: number): { $gte: string; $lt: string } => ({
  $gte: `${id}/${utcDay(from)}`,
  // `0` follows `/` in ASCII, so every id of the last day is smaller.
  $lt: `${id}/${utcDay(to)}0`,
});

/** Returns the id of the subject's previous day. */
export const dayBefore = (id: string): string => {
  const [subject, , ...partition] = id.split('/');
  return [subject, utcDay(dayStartOf(id) - DAY_MS), ...partition].join('/');
};

/** Returns the start of the UTC day in an id, in Unix milliseconds. */
export const dayStartOf = (id: string): number => Date.parse(`${id.split('/')[1]}T00:00:00.000Z`);

/** Returns the quarter hour in an id. */
export const quarterOfId = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1));

const twoDigits = (number: number): string => String(number).padStart(2, '0');
