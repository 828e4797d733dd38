import { bytesOf, type Transaction } from '@tautan/kit/mongo';
import { SEEN_STEP_MS, type Session } from '../domain/session.js';
import type { Models } from '../../store/models.js';

export type SessionStore = ReturnType<typeof sessionStore>;

/** A session without the provider's tokens. */
export type ListedSession = Omit<Session, 'accessToken' | 'refreshToken'>;

/** New tokens of a session. */
export type RenewedTokens = Pick<
  Session,
  'accessToken' | 'refreshToken' | 'accessExpiresAt' | 'refreshedAt' | 'lastSeenAt' | 'expiresAt'
>;

export const sessionStore = ({ sessions }: Models) => ({
  async insert(session: Session, tx: Transaction): Promise<void> {
    await sessions.insertMany([session], { session: tx.session });
  },

  async find(id: string): Promise<Session | null> {
    const found = await sessions.findById(id).lean<Session>();
    return found && fromStored(found);
  },

  /** Returns the sessions of a user that have not expired at `at`, newest first, without their tokens. */
  listOf: (userId: string, at: Date): Promise<ListedSession[]> =>
    sessions
      .find({ userId, expiresAt: { $gt: at } }, { accessToken: 0, refreshToken: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .lean<ListedSession[]>(),

  /** Deletes the sessions with these ids. Returns those that still existed. */
  async takeAll(ids: string[], { session }: Transaction): Promise<Session[]> {
    const found = await sessions.find({ _id: { $in: ids } }, null, { session }).lean<Session[]>();
    await sessions.deleteMany({ _id: { $in: ids } }, { session });
    return found.map(fromStored);
  },

  /** Ends a session whose tokens still have this version. Returns false otherwise. */
  async end({ _id, version }: Session, { session }: Transaction): Promise<boolean> {
    const { deletedCount } = await sessions.deleteOne({ _id, version }, { session });
    return deletedCount === 1;
  },

  /** Ends all sessions of a user. Returns their number. */
  async endAllOf(userId: string, { session }: Transaction): Promise<number> {
    const { deletedCount } = await sessions.deleteMany({ userId }, { session });
    return deletedCount;
  },

  /** Records a use, unless one was recorded less than `SEEN_STEP_MS` ago (by any replica) or the session has ended. */
  async recordUse(id: string, at: Date, expiresAt: Date): Promise<void> {
    const before = new Date(at.getTime() - SEEN_STEP_MS);
    const current = { _id: id, lastSeenAt: { $lte: before }, expiresAt: { $gt: at } };
    await sessions.updateOne(current, { $set: { lastSeenAt: at, expiresAt } });
  },

  /**
   * Acquires the lock on a session's refresh token. Returns false if the lock or the tokens have changed since the
   * session was read.
   */
  async claimRefresh({ _id, version, refreshLock: lock }: Session, by: string): Promise<boolean> {
    const unchanged = lock ? { 'refreshLock.by': lock.by, 'refreshLock.beat': lock.beat } : { refreshLock: null };
    const { modifiedCount } = await sessions.updateOne(
      { _id, version, ...unchanged },
      { $set: { refreshLock: { by, beat: 0 } } },
    );
    return modifiedCount === 1;
  },

  /** Renews the lock on a session's refresh token, if `by` still holds it. */
  async renewRefresh({ _id }: Session, by: string): Promise<void> {
    await sessions.updateOne({ _id, 'refreshLock.by': by }, { $inc: { 'refreshLock.beat': 1 } });
  },

  async releaseRefresh({ _id }: Session, by: string): Promise<void> {
    await sessions.updateOne({ _id, 'refreshLock.by': by }, { $set: { refreshLock: null } });
  },

  /**
   * Replaces the tokens of this version and releases the lock. Returns false if the session has ended or expired, or if
   * its tokens have another version.
   */
  async renew({ _id, version }: Session, renewed: RenewedTokens): Promise<boolean> {
    const { modifiedCount } = await sessions.updateOne(
      // An expired session stays expired.
      { _id, version, expiresAt: { $gt: renewed.lastSeenAt } },
      { $set: { ...renewed, refreshLock: null }, $inc: { version: 1 } },
    );
    return modifiedCount === 1;
  },
});

function fromStored(found: Session): Session {
  const refreshToken = found.refreshToken && bytesOf(found.refreshToken);
  return { ...found, accessToken: bytesOf(found.accessToken), refreshToken };
}
