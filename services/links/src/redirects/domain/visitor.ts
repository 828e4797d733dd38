import { hash } from 'node:crypto';

const HASH_CHARACTERS = 22;
const DAY_MS = 86_400_000;

/** The UTC day of a Unix time in milliseconds, YYYY-MM-DD. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Milliseconds from a time to the end of its UTC day. */
export const leftOfDay = (ms: number): number => DAY_MS - (ms % DAY_MS);

/**
 * A name for a visitor that holds for one day: 132 bits, base64url, of SHA-256 over the day's salt (hex), address and
 * user agent. Without the salt nobody can tell addresses from it, and the salt is deleted after two days.
 */
export const visitorHash = (salt: string, ip: string, userAgent: string): string =>
  hash('sha256', `${salt}${ip}\n${userAgent}`, 'base64url').slice(0, HASH_CHARACTERS);

const referrerForm = /^(?:https?|android-app):\/\/(?:[^/?#@]*@)?([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?=[:/?#]|$)/i;

/** The host of a Referer header in lower case, without port; empty when there is none that could be one. */
export function referrerHost(referrer: string): string {
  return referrer === '' ? '' : (referrerForm.exec(referrer)?.[1]?.toLowerCase() ?? '');
}
