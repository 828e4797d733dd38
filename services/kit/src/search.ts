import { fail } from './errors.js';
import { checkCharacters } from './text.js';

const MAX_Q = 200;
const MAX_TAGS = 20;

/** The terms of a search, in lower case, each once, sorted. Throws VALIDATION_ERROR naming `q`. */
export function parseTerms(q: string): string[] {
  checkCharacters('q', q);
  if (q.length > MAX_Q) throw fail('VALIDATION_ERROR', `q must have at most ${MAX_Q} characters.`, 'q');
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(terms)].sort();
}

/** The tags that a list is asked for, by name or id, each once, sorted. Throws VALIDATION_ERROR naming `tag`. */
export function parseTagFilter(tags: string[]): string[] {
  for (const tag of tags) checkCharacters('tag', tag);
  const wanted = [...new Set(tags.map((tag) => tag.trim()))].sort();
  if (wanted.length > MAX_TAGS) throw fail('VALIDATION_ERROR', `At most ${MAX_TAGS} tags can be asked for.`, 'tag');
  return wanted;
}

/** One of some words, or undefined as it was given. Throws VALIDATION_ERROR naming the field. */
export function oneOf<T extends string>(
  field: string,
  allowed: readonly T[],
  value: string | undefined,
): T | undefined {
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw fail('VALIDATION_ERROR', `${field} must be one of ${allowed.join(', ')}.`, field);
}

/** The size of a page. Throws VALIDATION_ERROR naming `limit` unless it is a whole number from 1 to `most`. */
export function checkLimit(limit: number, most = 200): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw fail('VALIDATION_ERROR', `limit must be from 1 to ${most}.`, 'limit');
}
