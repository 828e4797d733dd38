import { randomBytes } from 'node:crypto';
import { fail, isId } from '@tautan/kit';

/** Without 0, 1, i, l and o, which are easily confused. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GENERATED_LENGTH = 7;
/** Random bytes from this value on are discarded, so that all characters are equally likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * Words that cannot be slugs because they are paths: on the default domain, or after `/links/` in the API, where a slug
 * is also accepted. Words with a dot do not have the format of a slug anyway; as reserved words they get a clearer
 * error.
 */
const reserved = new Set(
  'api q app auth health healthz readyz metrics docs login signup dashboard static assets robots.txt favicon.ico sitemap.xml .well-known export bulk import stats'.split(
    ' ',
  ),
);

const form = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns whether a text has the format of a slug. */
export const isSlug = (text: string): boolean => form.test(text);

/**
 * Returns a slug as typed. Throws VALIDATION_ERROR naming `slug` if its format is invalid, it is reserved, or it has
 * the format of an id.
 */
export function checkSlug(text: string): string {
  if (reserved.has(text.toLowerCase())) throw fail('VALIDATION_ERROR', 'slug is a reserved word.', 'slug');
  if (!isSlug(text)) {
    throw fail('VALIDATION_ERROR', 'slug must consist of 1 to 64 letters, digits, hyphens or underscores.', 'slug');
  }
  if (isId(text.toLowerCase())) throw fail('VALIDATION_ERROR', 'slug must not have the format of an id.', 'slug');
  return text;
}

/** Returns a random slug of 7 characters, one of 27 billion. */
export function generateSlug(): string {
  let slug = '';
  while (slug.length < GENERATED_LENGTH) {
    for (const byte of randomBytes(16)) {
      if (byte < FAIR_BYTES && slug.length < GENERATED_LENGTH) slug += ALPHABET[byte % ALPHABET.length];
    }
  }
  return slug;
}
