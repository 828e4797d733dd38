import { domainToUnicode } from 'node:url';
import { fail } from './errors.js';
import { checkCharacters } from './text.js';

const MAX_Q = 200;
const MAX_TAGS = 20;

/** The address of a short link. */
export interface ShortUrl {
  /** Custom domain; null for the default one. */
  domain: string | null;
  /** Lower case; possibly the beginning of one. */
  slug: string;
}

/** One of the texts that a search looks for, in the form of `comparable`. */
export interface SearchTerm {
  text: string;
  /** The short URL that the text may be. */
  shortUrl?: ShortUrl | undefined;
}

/** Returns the terms of a search, each once, sorted. Throws VALIDATION_ERROR naming `q`. */
export function parseTerms(q: string): string[] {
  checkCharacters('q', q);
  if (q.length > MAX_Q) throw fail('VALIDATION_ERROR', `q must have at most ${MAX_Q} characters.`, 'q');
  const terms = comparable(q).split(/\s+/).filter(Boolean);
  return [...new Set(terms)].sort();
}

/** Returns a text in the form in which searches compare: texts that differ in case or Unicode composition are the same. */
export const comparable = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ'); // prettier-ignore

/** Returns a term of a search with the short URL that it may be. `baseUrl`: origin of the default short domain. */
export const searchTerm = (text: string, baseUrl: string): SearchTerm => ({ text, shortUrl: readShortUrl(text, baseUrl) }); // prettier-ignore

/** Reads a short URL in lower case, with or without its scheme; query and fragment are ignored. */
function readShortUrl(text: string, baseUrl: string): ShortUrl | undefined {
  const base = new URL(baseUrl);
  const url = parseUrl(`${base.protocol}//${text.replace(/^https?:\/\//, '')}`);
  const slug = url && /^\/([a-z0-9_-]{1,64})\/?$/.exec(url.pathname)?.[1];
  return slug === undefined ? undefined : { domain: url!.host === base.host ? null : url!.hostname, slug };
}

/**
 * Returns the forms in which people write a normalised URL: its host name in punycode and in Unicode (UTS 46), the rest
 * percent-encoded and decoded. Each is in the form of `comparable`. An empty text has one empty form.
 */
export function readableUrls(href: string): string[] {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(href) ?? [];
  const hosts = host.includes('xn--') ? [host, unicodeHost(host)] : [host];
  const rests = rest.includes('%') ? [rest, percentDecoded(rest)] : [rest];
  return [...new Set(hosts.flatMap((host) => rests.map((rest) => comparable(scheme + host + rest))))];
}

function unicodeHost(host: string): string {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(host)!;
  return (domainToUnicode(name) || name) + port;
}

/** Decodes what is UTF-8, and leaves the rest as it is. */
const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    const decoded = Buffer.from(encoded.replaceAll('%', ''), 'hex').toString();
    return decoded.includes('\ufffd') ? encoded : decoded;
  });

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
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
