import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { standalone } from './standalone.js';

/** human: one click. bot: counted apart. prefetch: nobody has looked yet, never counted. */
export type Verdict = 'human' | 'bot' | 'prefetch';

const LONGEST_USER_AGENT = 512;
const known = new LRUCache<string, boolean>({ max: 5_000 });

/** Bounds what is kept and judged of a user agent; real ones are shorter. */
export const boundUserAgent = (userAgent: string): string =>
  userAgent.length > LONGEST_USER_AGENT ? standalone(userAgent.slice(0, LONGEST_USER_AGENT)) : userAgent;

/** Judges a GET by its (bounded) user agent and by whether it said to be a prefetch. No user agent is a bot's. */
export function verdictOf(userAgent: string, prefetch: boolean): Verdict {
  if (prefetch) return 'prefetch';
  if (userAgent === '') return 'bot';
  let bot = known.get(userAgent);
  if (bot === undefined) known.set(userAgent, (bot = isbot(userAgent)));
  return bot ? 'bot' : 'human';
}

/**
 * Whether the value of Purpose, Sec-Purpose, X-Purpose or X-Moz tells a load ahead of any visit:
 * `prefetch`, `prefetch;prerender`, `prefetch;anonymous-client-ip`, `prerender`, `preview`.
 */
export const isPrefetch = (purpose: string): boolean => /\b(?:prefetch|prerender|preview)\b/i.test(purpose);
