import { domainToUnicode } from 'node:url';
import { fail } from '../errors.js';
import { checkCharacters } from './text.js';

/** Maximum length of a search in characters: that of a link's URL, so that every URL can be searched for. */
const MAX_QUERY_LENGTH = 2_048;
const MAX_TERMS = 100;

/** The address of a short link. */
export interface ShortUrl {
  /** Custom domain; null for the default one. */
  domain: string | null;
  /** In lower case. In a search, it can be the beginning of a longer slug. */
  slug: string;
}

/** A search term, normalized by `comparable`. */
export interface SearchTerm {
  text: string;
  /** The short URL that the term may denote. */
  shortUrl?: ShortUrl | undefined;
  /** If the term is a URL that is stored in another form: that form, percent-decoded. */
  url?: string | undefined;
}

/**
 * Returns the distinct terms of a search, sorted. Throws VALIDATION_ERROR naming `q` if it is too long, has too many
 * terms, or contains an unprintable character.
 */
export function parseTerms(q: string): string[] {
  checkCharacters('q', q);
  if (q.length > MAX_QUERY_LENGTH)
    throw fail('VALIDATION_ERROR', `q must have at most ${MAX_QUERY_LENGTH} characters.`, 'q');
  const terms = new Set(comparable(q).split(/\s+/).filter(Boolean));
  if (terms.size > MAX_TERMS) throw fail('VALIDATION_ERROR', `q must have at most ${MAX_TERMS} words.`, 'q');
  return [...terms].sort();
}

/** Returns a text normalized for search: case, Unicode composition and the dot of the Turkish İ do not matter. */
export const comparable = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    // Keeps the dot before another combining mark: Turkish text contains no such sequence.
    .replace(/i\u0307(?!\p{M})/gu, 'i');

/**
 * Returns a search term with the short URL that it may denote and, for a URL that is stored in another form, that form.
 * `baseUrl`: origin of the default short domain.
 */
export const searchTerm = (text: string, baseUrl: string): SearchTerm => ({
  text,
  shortUrl: readShortUrl(text, baseUrl),
  url: readUrl(text),
});

/** Returns the stored form of a URL, percent-decoded; undefined if the text is not a URL or already has this form. */
function readUrl(text: string): string | undefined {
  const url = /^https?:\/\//.test(text) ? parseUrl(text) : undefined;
  const stored = url && comparable(percentDecoded(url.href));
  return stored === text ? undefined : stored;
}

/** Parses a short URL in lower case, with or without its scheme. Ignores query and fragment. */
function readShortUrl(text: string, baseUrl: string): ShortUrl | undefined {
  const base = new URL(baseUrl);
  const url = parseUrl(`${base.protocol}//${text.replace(/^https?:\/\//, '')}`);
  const slug = url && /^\/([a-z0-9_-]{1,64})\/?$/.exec(url.pathname)?.[1];
  return slug === undefined ? undefined : { domain: url!.host === base.host ? null : url!.hostname, slug };
}

/**
 * Returns the ways to write a normalized URL: its host name in punycode or Unicode (UTS 46) and the rest
 * percent-encoded or decoded, in all combinations. Each is normalized by `comparable`. An empty text has one empty
 * form.
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

/** Decodes each run of percent-encoded bytes that is valid UTF-8, and leaves the others unchanged. */
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

/**
 * Returns the distinct values of a list filter, trimmed and sorted. Throws VALIDATION_ERROR naming the field if there
 * are more than `max`, or if a character is not printable.
 */
export function parseFilterValues(field: string, values: string[], max: number): string[] {
  for (const value of values) checkCharacters(field, value);
  const distinct = [...new Set(values.map((value) => value.trim()))].sort();
  if (distinct.length > max) throw fail('VALIDATION_ERROR', `${field} must have at most ${max} values.`, field);
  return distinct;
}

/** Returns the value if it is undefined or an allowed word. Throws VALIDATION_ERROR naming the field otherwise. */
export function oneOf<T extends string>(
  field: string,
  allowed: readonly T[],
  value: string | undefined,
): T | undefined {
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw fail('VALIDATION_ERROR', `${field} must be one of ${allowed.join(', ')}.`, field);
}

/** Returns the page size. Throws VALIDATION_ERROR for `limit` unless it is an integer from 1 to `max`. */
export function checkLimit(limit: number, max = 200): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw fail('VALIDATION_ERROR', `limit must be from 1 to ${max}.`, 'limit');
}
