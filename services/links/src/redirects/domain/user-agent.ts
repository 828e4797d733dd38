import { copyString } from '@tautan/kit';
import { isbot } from 'isbot';

/** A user agent as recorded, and whether it is a bot. */
export interface UserAgent {
  /** At most 512 characters; the same string each time, which makes comparing it cheap. */
  text: string;
  bot: boolean;
}

const MAX_LENGTH = 512;
const MAX_KNOWN = 4_000;

/**
 * Previews that isbot takes for people. Office and the Outlook apps fetch the links of a document or a mail. Thunderbird
 * fetches a page for its link previews; links open in the browser. Apple's CFNetwork fetches for Messages and Mail;
 * browsers on its systems send `Mozilla/…` instead.
 */
const preview = /\bms-office\b|^Microsoft Office\/|\bOutlook-(?:iOS|Android)\/|\bThunderbird\/|\bCFNetwork\//i;

/** Those judged lately, and those before: half the upkeep of a strict order, on a path where that shows. */
let known = new Map<string, UserAgent>();
let before = new Map<string, UserAgent>();

/** Judges a User-Agent field. None at all is a bot's. */
export function judgeUserAgent(field: string): UserAgent {
  const text = field.length > MAX_LENGTH ? copyString(field.slice(0, MAX_LENGTH)) : field;
  const judged = known.get(text);
  if (judged !== undefined) return judged;
  const anew = before.get(text) ?? { text, bot: text === '' || isbot(text) || preview.test(text) };
  if (known.size >= MAX_KNOWN) {
    before = known;
    known = new Map();
  }
  known.set(anew.text, anew);
  return anew;
}

/**
 * Whether the value of Purpose, Sec-Purpose, X-Purpose or X-Moz tells a load ahead of any visit:
 * `prefetch`, `prefetch;prerender`, `prefetch;anonymous-client-ip`, `prerender`, `preview`.
 */
export const isPrefetch = (purpose: string): boolean => /\b(?:prefetch|prerender|preview)\b/i.test(purpose);
