import { randomBytes } from 'node:crypto';
import { fail, isId } from '@tautan/kit';

/** No vowels that make words by chance with digits that look like letters: 0 1 i l o are left out. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GENERATED_LENGTH = 7;
/** Bytes from here on are thrown away, so that every character is as likely as every other. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** Paths of the product and of its API, which addresses links by slug. Those with a dot cannot be slugs anyway. */
const reserved = new Set(
  'api q app auth health healthz readyz metrics docs login signup dashboard static assets robots.txt favicon.ico sitemap.xml .well-known export bulk import stats'.split(
    ' ',
  ),
);

const form = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a text could be the slug of some link. */
export const isSlug = (text: string): boolean => form.test(text);

/** A slug as typed. Throws VALIDATION_ERROR naming `slug` for a wrong form, a reserved word, or the form of an id. */
export function checkSlug(text: string): string {
  if (reserved.has(text.toLowerCase())) throw fail('VALIDATION_ERROR', 'slug is a reserved word.', 'slug');
  if (!isSlug(text)) {
    throw fail('VALIDATION_ERROR', 'slug must have 1 to 64 letters, digits, hyphens and underscores.', 'slug');
  }
  if (isId(text.toLowerCase())) throw fail('VALIDATION_ERROR', 'slug must not have the form of an id.', 'slug');
  return text;
}

/** A random slug of 7 characters: one of 27 thousand million. */
export function generateSlug(): string {
  let slug = '';
  while (slug.length < GENERATED_LENGTH) {
    for (const byte of randomBytes(16)) {
      if (byte < FAIR_BYTES && slug.length < GENERATED_LENGTH) slug += ALPHABET[byte % ALPHABET.length];
    }
  }
  return slug;
}
