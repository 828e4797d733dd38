import { inTransaction } from '@tautan/kit/mongo';
import type { Route } from './domain/route.js';
import type { Models } from '../store/models.js';

/** Tells a limit that lets nobody pass from every other end of a transaction. */
class NobodyPasses extends Error {}

const open = (field: string, now: Date) => ({ $or: [{ [field]: null }, { [field]: { $gt: now } }] });

/** An entry that leads somewhere at a moment: itself active, and active what it follows. */
const leading = (now: Date) => ({
  status: 'active',
  'follows.status': { $in: [null, 'active'] },
  $and: [open('expiresAt', now), open('follows.expiresAt', now)],
});

/**
 * Counts an entry's own limit down for one human, atomically. Answers the entry, or null when it does not lead anywhere, is
 * used up, has no limit, or follows one of a link besides.
 */
export const takeOwn = (routes: Models['routes'], key: string, now: Date, timeoutMS: number) =>
  routes.collection.findOneAndUpdate(
    { _id: key as never, remaining: { $gt: 0 }, 'follows.limited': { $ne: true }, ...leading(now) },
    { $inc: { remaining: -1 } },
    { returnDocument: 'after', maxTimeMS: timeoutMS },
  ) as unknown as Promise<Route | null>;

/**
 * Counts down, for one human at a QR code, the limit of its link and its own where it has one: both or neither. Answers the
 * code's entry, or null when one of them lets nobody pass or the link is not limited any more.
 */
export async function takeBoth(
  routes: Models['routes'],
  key: string,
  now: Date,
  timeoutMS: number,
): Promise<Route | null> {
  const work = inTransaction(routes.db, timeoutMS, async (session) => {
    const take = (filter: object) =>
      routes.collection.findOneAndUpdate(
        { ...filter, remaining: { $gt: 0 } },
        { $inc: { remaining: -1 } },
        { session, returnDocument: 'after' },
      );
    const filter = { _id: key as never, 'follows.limited': true, ...leading(now) };
    const code = (await routes.collection.findOne(filter, { session })) as unknown as Route | null;
    if (!code?.follows) throw new NobodyPasses();
    // The one that fewer share goes first: others wait shortest for the link's.
    if (code.remaining !== null && !(await take({ _id: key }))) throw new NobodyPasses();
    const { follows, linkId } = code;
    const link = await take({ _id: follows.key, linkId, status: 'active', ...open('expiresAt', now) });
    if (!link) throw new NobodyPasses();
    return code;
  });
  return work.catch((error: unknown) => {
    if (error instanceof NobodyPasses) return null;
    throw error;
  });
}
