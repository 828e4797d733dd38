import { driverCollection, inTransaction } from '@tautan/kit/mongo';
import type { mongo } from 'mongoose';
import type { Route } from './domain/route.js';
import type { Models } from '../store/models.js';

/** Thrown to abort a transaction because the route is inactive or a limit is reached. */
class LimitReached extends Error {}

const unexpired = (field: 'expiresAt' | 'follows.expiresAt', now: Date) =>
  ({ $or: [{ [field]: null }, { [field]: { $gt: now } }] }) as mongo.Filter<Route>;

/** Returns a filter for routes that are active at `now`. A QR code of a link is active only while its link is. */
const activeAt = (now: Date): mongo.Filter<Route> => ({
  status: 'active',
  'follows.status': { $in: [null, 'active'] },
  $and: [unexpired('expiresAt', now), unexpired('follows.expiresAt', now)],
});

/**
 * Counts one human visit against a route's own limit, atomically. Returns the route, or null if it is inactive or used
 * up, has no limit, or belongs to a QR code whose link is limited (see `consumeBoth`).
 */
export const consumeOwn = (
  routes: Models['routes'],
  key: string,
  now: Date,
  timeoutMs: number,
): Promise<Route | null> =>
  driverCollection(routes).findOneAndUpdate(
    { _id: key, remaining: { $gt: 0 }, 'follows.limited': { $ne: true }, ...activeAt(now) },
    { $inc: { remaining: -1 } },
    { returnDocument: 'after', maxTimeMS: timeoutMs },
  );

/**
 * Counts one human visit against the limit of a QR code's link, and against the code's own limit if it has one: both or
 * neither. Returns the code's route, or null if the code or the link is inactive or used up, or the link is no longer
 * limited.
 */
export async function consumeBoth(
  routes: Models['routes'],
  key: string,
  now: Date,
  timeoutMs: number,
): Promise<Route | null> {
  const work = inTransaction(routes.db, timeoutMs, async (session) => {
    const consume = (filter: object) =>
      driverCollection(routes).findOneAndUpdate(
        { ...filter, remaining: { $gt: 0 } },
        { $inc: { remaining: -1 } },
        { session, returnDocument: 'after' },
      );
    const filter = { _id: key, 'follows.limited': true, ...activeAt(now) };
    const code = await driverCollection(routes).findOne(filter, { session });
    if (!code?.follows) throw new LimitReached();
    // Consume the less contended limit first, so that the link's document is locked only briefly.
    if (code.remaining !== null && !(await consume({ _id: key }))) throw new LimitReached();
    const { follows, linkId } = code;
    const link = await consume({ _id: follows.key, linkId, status: 'active', ...unexpired('expiresAt', now) });
    if (!link) throw new LimitReached();
    return code;
  });
  return work.catch((error: unknown) => {
    if (error instanceof LimitReached) return null;
    throw error;
  });
}
