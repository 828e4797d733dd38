import { createHash, timingSafeEqual } from 'node:crypto';
import { fail, isPrintable } from '@tautan/kit';

/** A pending browser sign-in. */
export interface Login {
  /** SHA-256 of `state`, hexadecimal. */
  _id: string;
  /** The `LoginAttempt` as JSON, encrypted. */
  attempt: Buffer;
  /** SHA-256 of the browser's secret, hexadecimal. */
  browserHash: string;
  returnTo: string;
  expiresAt: Date;
}

/** Maximum duration of a sign-in at the provider. */
export const LOGIN_MS = 10 * 60_000;

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns whether a secret belongs to the browser that started a sign-in. */
export const isBrowserOf = ({ browserHash }: Login, secret: string): boolean =>
  timingSafeEqual(Buffer.from(browserHash), Buffer.from(hashOf(secret)));

/**
 * Validates the path to return to after a sign-in; `/` by default. Throws VALIDATION_ERROR naming `returnTo` if the
 * text is not a path, if it starts with `//` or contains a backslash, because a browser could interpret it as another
 * origin, or if it has unprintable characters or more than 2,048 characters.
 */
export function returnPath(text: string): string {
  if (text === '') return '/';
  const isOwnPath = /^\/(?!\/)[^\\]*$/.test(text) && isPrintable(text) && text.length <= 2_048;
  if (!isOwnPath) throw fail('VALIDATION_ERROR', 'returnTo must be a path of this site, such as /links.', 'returnTo');
  return text;
}
