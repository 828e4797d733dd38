import { createHash, timingSafeEqual } from 'node:crypto';
import { fail, isPrintable } from '@tautan/kit';

/** A sign-in by browser that was begun and not yet finished. */
export interface Login {
  /** Hex of the SHA-256 of `state`. */
  _id: string;
  /** The attempt as JSON, sealed. */
  attempt: Buffer;
  /** Hex of the SHA-256 of the browser's secret. */
  browserHash: string;
  returnTo: string;
  expiresAt: Date;
}

/** How long somebody may take to sign in at the provider. */
export const LOGIN_MS = 10 * 60_000;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether a secret is the one of the browser that began a sign-in. */
export const isBrowserOf = ({ browserHash }: Login, secret: string): boolean =>
  timingSafeEqual(Buffer.from(browserHash), Buffer.from(hashOf(secret)));

/**
 * Where to go after a sign-in: a path of this origin, `/` when none is named. Throws VALIDATION_ERROR naming `returnTo` for
 * anything that a browser could take for another origin's address (`//host`, `/\host`).
 */
export function returnPath(text: string): string {
  if (text === '') return '/';
  const own = /^\/(?!\/)[^\\]*$/.test(text) && isPrintable(text) && text.length <= 2_048;
  if (!own) throw fail('VALIDATION_ERROR', 'returnTo must be a path of this site, such as /links.', 'returnTo');
  return text;
}
