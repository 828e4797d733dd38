import { createHash, randomBytes } from 'node:crypto';
import { derivedId } from '@tautan/kit';

/** A person's stay on the dashboard. Its secret is kept nowhere; the provider's tokens are sealed, bound to the session. */
export interface Session {
  /** Hex of the secret's SHA-256. */
  _id: string;
  userId: string;
  /** Where the sign-in came from; absent from sessions of before that was kept. */
  ip?: string | null;
  userAgent?: string | null;
  accessToken: Buffer;
  /** Null where the provider gave none: the session then ends with the access token. */
  refreshToken: Buffer | null;
  accessExpiresAt: Date;
  /** Counts the refreshes, so that each pair of tokens is refreshed by one process alone. */
  version: number;
  /** When the tokens were given. */
  refreshedAt: Date;
  /** Who is refreshing the tokens, and a counter that advances meanwhile. */
  refreshLock: { by: string; beat: number } | null;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** Life of a session that is not used. */
export const SESSION_MS = 30 * 86_400_000;
/** How far lastSeenAt may lag behind, so that a busy session costs one write an hour. */
export const SEEN_STEP_MS = 3_600_000;
/** An access token with less than this left is refreshed before it is used. */
export const REFRESH_BEFORE_MS = 60_000;
/** Tokens younger than this are not refreshed again: whoever asks means the refresh that just was. */
export const JUST_REFRESHED_MS = 5_000;
/** Lifetime of a lock on the refresh token that is not renewed, milliseconds. */
export const REFRESH_LEASE_MS = 5_000;

const PREFIX = 'tau_session_';
const secretForm = /^tau_session_[A-Za-z0-9_-]{43}$/;

/** A new secret: `tau_session_` and 32 random bytes in base64url. */
export const newSessionSecret = (): string => PREFIX + randomBytes(32).toString('base64url');

export const isSessionSecret = (text: string): boolean => secretForm.test(text);

export const sessionIdOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The id that the API shows: computed from the stored one, and no help in finding the secret. */
export const shownIdOf = ({ _id, createdAt }: Pick<Session, '_id' | 'createdAt'>): string =>
  derivedId('ses', createdAt.getTime(), _id);

/** When a session that is used now ends, unless it is used again. */
export const sessionEnd = (session: Pick<Session, 'refreshToken' | 'accessExpiresAt'>, now: Date): Date =>
  session.refreshToken ? new Date(now.getTime() + SESSION_MS) : session.accessExpiresAt;

/** Whether it is time to note that a session was used. */
export const isVisitWorthNoting = ({ lastSeenAt }: Session, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() >= SEEN_STEP_MS;

/** Whether a session's access token has too little left to be used. */
export const isAccessEnding = ({ accessExpiresAt }: Session, now: Date): boolean =>
  accessExpiresAt.getTime() - now.getTime() < REFRESH_BEFORE_MS;

/** Either way: another replica's clock may be ahead. */
export const isJustRefreshed = ({ refreshedAt }: Session, now: Date): boolean =>
  Math.abs(now.getTime() - refreshedAt.getTime()) < JUST_REFRESHED_MS;
