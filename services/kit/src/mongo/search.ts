import type { Query } from 'mongoose';
import { comparable, readableUrls, type SearchTerm } from '../values/search.js';
import { truncate } from '../values/text.js';
import { eachRecord } from './each-record.js';
import { textPattern, urlPattern } from './search-pattern.js';

/** Maximum total length of the texts in the patterns of a filter, UTF-16 units. */
const MAX_PATTERN_LENGTH = 200;

/** Paths of the searched fields of a record. */
export interface SearchedFields {
  texts: string[];
  /** Normalized URLs: host names in punycode, paths percent-encoded. */
  urls: string[];
  /** Slug in lower case, for terms that are a short URL. */
  slug: string;
  /** Custom domain; absent if all short URLs are on the default one. */
  domain?: string;
}

/**
 * A search in a collection: a filter that selects candidates, and an exact check for encodings that the filter cannot
 * decode.
 */
export class Search {
  constructor(private readonly fields: SearchedFields) {}

  /** Returns a filter that matches every record containing all terms, and few other records. */
  filter(terms: SearchTerm[]): Record<string, unknown> {
    return terms.length === 0 ? {} : { $and: beginningOf(terms).map((term) => ({ $or: this.#conditions(term) })) };
  }

  /** Returns whether a record contains all terms, regardless of case, Unicode composition and encoding. */
  matches(terms: SearchTerm[], record: object): boolean {
    return terms.every((term) => this.#contains(term, record));
  }

  /** Returns the first `limit` results of `query` that contain all terms. The query must include `filter(terms)`. */
  async read<T extends object, D, H, R>(
    query: Query<T[], D, H, R, 'find'>,
    terms: SearchTerm[],
    limit: number,
  ): Promise<T[]> {
    // By default, the first batch has at most 101 documents, and the rest needs another round trip.
    if (terms.length === 0) return query.limit(limit).batchSize(limit).exec();
    const found: T[] = [];
    for await (const record of eachRecord(query, { batchSize: limit })) {
      if (this.matches(terms, record)) found.push(record);
      if (found.length === limit) break;
    }
    return found;
  }

  #conditions(term: SearchTerm): object[] {
    const { texts, urls } = this.fields;
    const international = /[^\0-\x7f]/.test(term.text);
    return [
      ...texts.map((field) => ({ [field]: { $regex: textPattern(term.text), $options: 'i' } })),
      ...[term.text, ...(term.url === undefined ? [] : [term.url])].flatMap((text) =>
        urls.map((field) => ({ [field]: { $regex: urlPattern(text), $options: 'i' } })),
      ),
      // A substring of a Unicode host name cannot be converted to punycode, so every punycode host name is a candidate.
      ...(international ? urls.map((field) => ({ [field]: { $regex: '^https?://[^/?#]*xn--' } })) : []),
      ...this.#shortUrlConditions(term),
    ];
  }

  #shortUrlConditions({ shortUrl }: SearchTerm): object[] {
    const { slug, domain } = this.fields;
    if (!shortUrl || (domain === undefined && shortUrl.domain !== null)) return [];
    return [{ ...(domain !== undefined && { [domain]: shortUrl.domain }), [slug]: { $regex: `^${shortUrl.slug}` } }];
  }

  #contains({ text, url, shortUrl }: SearchTerm, record: object): boolean {
    const { texts, urls, slug, domain } = this.fields;
    if (texts.some((field) => comparable(valueAt(record, field)).includes(text))) return true;
    const forms = urls.flatMap((field) => readableUrls(valueAt(record, field)));
    if (forms.some((form) => form.includes(text) || (url !== undefined && form.includes(url)))) return true;
    if (!shortUrl || !valueAt(record, slug).startsWith(shortUrl.slug)) return false;
    return (shortUrl.domain ?? '') === (domain === undefined ? '' : valueAt(record, domain));
  }
}

/**
 * Returns the first terms, up to `MAX_PATTERN_LENGTH` in total, so that the patterns stay small. The last one may be
 * shortened. Every record that contains all of `terms` also contains these.
 */
function beginningOf(terms: SearchTerm[]): SearchTerm[] {
  let left = MAX_PATTERN_LENGTH;
  return terms.flatMap((term) => {
    const text = truncate(term.text, left);
    left -= text.length;
    return text === '' ? [] : [{ ...term, text, url: term.url && truncate(term.url, text.length) }];
  });
}

/** Returns the text at a path, or an empty string. */
function valueAt(record: object, path: string): string {
  const value = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], record);
  return typeof value === 'string' ? value : '';
}
