import { fail, parseTime } from '@tautan/kit';

/** No link is older: what an import says before it is a mistake. */
const MIN_CREATION = Date.UTC(2000, 0, 1);

/** When an imported link was made elsewhere. Throws VALIDATION_ERROR naming `createdAt` for the future or before 2000. */
export function checkCreatedAt(text: string, now: Date): Date {
  const time = parseTime('createdAt', text);
  if (time > now) throw fail('VALIDATION_ERROR', 'createdAt must not be in the future.', 'createdAt');
  if (time.getTime() < MIN_CREATION) {
    throw fail('VALIDATION_ERROR', 'createdAt must not be before the year 2000.', 'createdAt');
  }
  return time;
}
