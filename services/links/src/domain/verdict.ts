import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { standalone } from './standalone.js';

/** A user agent as it is recorded, and who speaks through it. */
export interface UserAgent {
  /** At most 512 characters; the same string each time, which makes comparing it cheap. */
  text: string;
  bot: boolean;
}

const LONGEST = 512;
const known = new LRUCache<string, UserAgent>({ max: 5_000 });

/** Judges a User-Agent field. None at all is a bot's. */
export function judgeUserAgent(field: string): UserAgent {
  const text = field.length > LONGEST ? standalone(field.slice(0, LONGEST)) : field;
  let judged = known.get(text);
  if (judged === undefined) known.set(text, (judged = { text, bot: text === '' || isbot(text) }));
  return judged;
}

/**
 * Whether the value of Purpose, Sec-Purpose, X-Purpose or X-Moz tells a load ahead of any visit:
 * `prefetch`, `prefetch;prerender`, `prefetch;anonymous-client-ip`, `prerender`, `preview`.
 */
export const isPrefetch = (purpose: string): boolean => /\b(?:prefetch|prerender|preview)\b/i.test(purpose);
