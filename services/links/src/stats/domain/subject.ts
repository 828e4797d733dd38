import { utcDay } from '../../redirects/domain/visitor.js';
import { DAY_MS } from './quarters.js';
import type { SubjectKind } from './tally.js';

/** A link, a QR code, or the part of a workspace that one partition of clicks is. */
export interface Subject {
  kind: SubjectKind;
  id: string;
  /** For a workspace: partitions never write the same document. */
  partition?: number;
}

/** Id of a subject's day: `<id>/<YYYY-MM-DD>`, for a workspace `…/<partition>`: the days of a subject are one range. */
export function dayId({ id, partition }: Subject, day: string): string {
  return partition === undefined ? `${id}/${day}` : `${id}/${day}/${twoDigits(partition)}`;
}

const TALLY = '/tally';

/** Id of the tally of a day, in the collection of days. */
export const tallyId = (day: string): string => `${day}${TALLY}`;

/** Whether an id is that of a tally of a link or a QR code, the days of which are closed. */
export const isTallyToClose = (id: string): boolean => id.endsWith(TALLY) && id.split('/').length === 3;

/** The day's id of an id in the collection of days. */
export const dayIdOf = (id: string): string => (id.endsWith(TALLY) ? id.slice(0, -TALLY.length) : id);

/** Id of a quarter of an hour of a day. */
export const quarterId = (day: string, quarter: number): string => `${day}/${twoDigits(quarter)}`;

/** The ids of all quarters of a day. */
export const quartersOf = (day: string): { $gte: string; $lt: string } => ({ $gte: `${day}/`, $lt: `${day}0` });

/** The ids of a subject's days (with their tallies and quarters) from one to another, both included. */
export const daysBetween = (id: string, from: number, to: number): { $gte: string; $lt: string } => ({
  $gte: `${id}/${utcDay(from)}`,
  // The character behind the slash: whatever begins with the last day is before it.
  $lt: `${id}/${utcDay(to)}0`,
});

/** The id of the same subject's day before. */
export const dayBefore = (id: string): string => {
  const [subject, , ...partition] = id.split('/');
  return [subject, utcDay(dayOfId(id) - DAY_MS), ...partition].join('/');
};

/** Start of the UTC day that an id names. */
export const dayOfId = (id: string): number => Date.parse(`${id.split('/')[1]}T00:00:00.000Z`);

/** The quarter that an id of a quarter names. */
export const quarterOfId = (id: string): number => Number(id.slice(id.lastIndexOf('/') + 1));

const twoDigits = (number: number): string => String(number).padStart(2, '0');
