import { hash } from 'node:crypto';

const ID_LENGTH = 22;
const DAY_MS = 86_400_000;

/** Returns the UTC day (YYYY-MM-DD) of a time in Unix milliseconds. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the milliseconds from a time to the next midnight UTC. */
export const msToMidnight = (ms: number): number => DAY_MS - (ms % DAY_MS);

/**
 * Returns the id of a visitor for one day: the first 132 bits, in base64url, of SHA-256 over the day's salt (hex),
 * address and user agent. Once the salt is deleted, after two days, no address can be derived from an id.
 */
export const dailyVisitorId = (salt: string, ip: string, userAgent: string): string =>
  hash('sha256', `${salt}${ip}\n${userAgent}`, 'base64url').slice(0, ID_LENGTH);

const referrerPattern =
  /^(?:https?|android-app):\/\/(?:[^/?#@]*@)?([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?=[:/?#]|$)/i;

/** Returns the host of a Referer header in lower case, without its port; empty if the header contains no host. */
export function referrerHost(referrer: string): string {
  return referrer === '' ? '' : (referrerPattern.exec(referrer)?.[1]?.toLowerCase() ?? '');
}
