import { copyString } from '@tautan/kit';
import { isbot } from 'isbot';

/** A user agent as recorded, and whether it is a bot. */
export interface UserAgent {
  /** At most 512 characters; interned, which makes comparison cheap. */
  text: string;
  bot: boolean;
}

const MAX_LENGTH = 512;
const MAX_KNOWN = 4_000;

/**
 * Link previews that isbot does not detect. Office and the Outlook apps fetch the links of documents and emails.
 * Thunderbird fetches pages only for link previews, because it opens links in the browser. Apple's CFNetwork fetches
 * pages for Messages and Mail; browsers on Apple systems send `Mozilla/…`.
 */
const preview = /\bms-office\b|^Microsoft Office\/|\bOutlook-(?:iOS|Android)\/|\bThunderbird\/|\bCFNetwork\//i;

/** Two generations of a cache. Every redirect reads it, and a strict LRU order would cost twice as much. */
let known = new Map<string, UserAgent>();
let previous = new Map<string, UserAgent>();

/** Classifies a User-Agent header. An empty one is a bot. */
export function classifyUserAgent(field: string): UserAgent {
  const text = field.slice(0, MAX_LENGTH);
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const classified = previous.get(text) ?? classify(text);
  if (known.size >= MAX_KNOWN) {
    previous = known;
    known = new Map();
  }
  known.set(classified.text, classified);
  return classified;
}

function classify(text: string): UserAgent {
  // The text is a slice of the request, which the cache would otherwise retain.
  return { text: copyString(text), bot: text === '' || isbot(text) || preview.test(text) };
}

/**
 * Returns whether the value of Purpose, Sec-Purpose, X-Purpose or X-Moz marks a prefetch: `prefetch`,
 * `prefetch;prerender`, `prefetch;anonymous-client-ip`, `prerender`, `preview`.
 */
export const isPrefetch = (purpose: string): boolean => /\b(?:prefetch|prerender|preview)\b/i.test(purpose);
