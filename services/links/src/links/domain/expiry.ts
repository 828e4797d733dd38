import { fail } from '@tautan/kit';
import type { Link, LinkStatus } from './link.js';
import type { Route } from '../../redirects/domain/route.js';

const MAX_CLICKS = 1_000_000_000;

/**
 * Returns a limit of clicks or scans if it is an integer from 1 to 1,000,000,000. Throws VALIDATION_ERROR naming the
 * field.
 */
export function checkMaxClicks(value: number, field = 'maxClicks'): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_CLICKS) return value;
  throw fail('VALIDATION_ERROR', `${field} must be a whole number from 1 to ${MAX_CLICKS}.`, field);
}

/** Returns the field that sets the limit which a link has reached, or undefined. */
export function reachedLimit(
  { expiresAt, remaining }: Pick<Route, 'expiresAt' | 'remaining'>,
  now: Date,
): 'expiresAt' | 'maxClicks' | undefined {
  if (expiresAt && expiresAt <= now) return 'expiresAt';
  return remaining !== null && remaining <= 0 ? 'maxClicks' : undefined;
}

/**
 * Returns the status of a link at a time. An active link that has reached a limit counts as expired, even before the
 * sweep has marked it.
 */
export const statusAt = (
  { status, expiresAt }: Pick<Link, 'status' | 'expiresAt'>,
  remaining: number | null,
  now: Date,
): LinkStatus => (status === 'active' && reachedLimit({ expiresAt, remaining }, now) ? 'expired' : status);

/**
 * Returns the number of human clicks left under a new limit; null if there is no new limit. Clicks used under the old
 * limit count toward the new one. If there was no old limit, all clicks of the link count. `remaining`: the clicks left
 * under the old limit. The result is negative if more clicks were used than the new limit allows, so that a later limit
 * counts these clicks as well.
 */
export function remainingUnder(
  maxClicks: number | null,
  link: Pick<Link, 'maxClicks' | 'clickCount'>,
  remaining: number | null,
): number | null {
  if (maxClicks === null) return null;
  const used = link.maxClicks === null || remaining === null ? link.clickCount : link.maxClicks - remaining;
  return maxClicks - used;
}
