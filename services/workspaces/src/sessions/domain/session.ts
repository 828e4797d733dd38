import { createHash, randomBytes } from 'node:crypto';
import { derivedId } from '@tautan/kit';

/**
 * A session of a user in the web application. Its secret is not stored; the provider's tokens are encrypted and bound to
 * the session.
 */
export interface Session {
  /** SHA-256 of the secret, hexadecimal. */
  _id: string;
  userId: string;
  /** IP address at the sign-in; absent from sessions of earlier versions. */
  ip?: string | null;
  /** User agent at the sign-in; absent from sessions of earlier versions. */
  userAgent?: string | null;
  accessToken: Buffer;
  /** Null if the provider issued none; the session then ends with the access token. */
  refreshToken: Buffer | null;
  accessExpiresAt: Date;
  /** Incremented by each refresh, so that exactly one process refreshes each pair of tokens. */
  version: number;
  /** When the tokens were issued. */
  refreshedAt: Date;
  /** The refresh that holds the lock, and a counter that it increments while it runs; null if none runs. */
  refreshLock: { by: string; beat: number } | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** Lifetime of an unused session. */
export const SESSION_MS = 30 * 86_400_000;
/** Minimum interval between updates of lastSeenAt, so that a busy session costs one write per hour. */
export const SEEN_STEP_MS = 3_600_000;
/** Access tokens are refreshed this long before they expire. */
export const REFRESH_BEFORE_MS = 60_000;
/** Tokens younger than this are not refreshed again, because a concurrent request just refreshed them. */
export const JUST_REFRESHED_MS = 5_000;
/** Lifetime of the lock on a refresh token if the lock is not renewed, milliseconds. */
export const REFRESH_LEASE_MS = 5_000;

const PREFIX = 'tau_session_';
const secretForm = /^tau_session_[A-Za-z0-9_-]{43}$/;

/** Returns a new secret: `tau_session_` and 32 random bytes in base64url. */
export const newSessionSecret = (): string => PREFIX + randomBytes(32).toString('base64url');

export const isSessionSecret = (text: string): boolean => secretForm.test(text);

export const sessionIdOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Returns whether a credential is the secret of a session. */
export const isSecretOf = ({ _id }: Pick<Session, '_id'>, credential: string): boolean =>
  isSessionSecret(credential) && sessionIdOf(credential) === _id;

/** Returns the public id of a session: derived from the stored one, and useless for finding the secret. */
export const publicSessionId = ({ _id, createdAt }: Pick<Session, '_id' | 'createdAt'>): string =>
  derivedId('ses', createdAt.getTime(), _id);

/** Returns when a session expires if it is used now and not again. */
export const sessionEnd = (session: Pick<Session, 'refreshToken' | 'accessExpiresAt'>, now: Date): Date =>
  session.refreshToken ? new Date(now.getTime() + SESSION_MS) : session.accessExpiresAt;

/** Returns whether the use of a session should be recorded. */
export const shouldRecordUse = ({ lastSeenAt }: Session, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() >= SEEN_STEP_MS;

/** Returns whether a session's access token is about to expire. */
export const isAccessEnding = ({ accessExpiresAt }: Session, now: Date): boolean =>
  accessExpiresAt.getTime() - now.getTime() < REFRESH_BEFORE_MS;

/**
 * Returns whether the tokens were just refreshed. Compares in both directions, because another replica's clock may be
 * ahead.
 */
export const isJustRefreshed = ({ refreshedAt }: Session, now: Date): boolean =>
  Math.abs(now.getTime() - refreshedAt.getTime()) < JUST_REFRESHED_MS;
