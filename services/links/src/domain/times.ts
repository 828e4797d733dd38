import { fail, parseTime } from '@tautan/kit';

/** Earliest `createdAt` accepted by imports. */
const MIN_CREATED_AT = Date.UTC(2000, 0, 1);

/**
 * Returns the original creation time of an imported link. Throws VALIDATION_ERROR naming `createdAt` if it is in the
 * future or before 2000.
 */
export function checkCreatedAt(text: string, now: Date): Date {
  const time = parseTime('createdAt', text);
  if (time > now) throw fail('VALIDATION_ERROR', 'createdAt must not be in the future.', 'createdAt');
  if (time.getTime() < MIN_CREATED_AT) {
    throw fail('VALIDATION_ERROR', 'createdAt must not be before the year 2000.', 'createdAt');
  }
  return time;
}

/** Returns the next `updatedAt`: now, or the current value if it is later, because it never decreases. */
export const nextUpdatedAt = ({ updatedAt }: { updatedAt: Date }, now: Date): Date =>
  updatedAt > now ? updatedAt : now;
