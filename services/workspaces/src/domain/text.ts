import { fail, isPrintable } from '@tautan/kit';

/** A one-line text, trimmed, 1 to `max` characters. Throws VALIDATION_ERROR naming `field`. */
export function oneLine(text: string, field: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length === 0) throw fail('VALIDATION_ERROR', `${field} must not be empty.`, field);
  if (trimmed.length > max) throw fail('VALIDATION_ERROR', `${field} has at most ${max} characters.`, field);
  if (!isPrintable(trimmed)) throw fail('VALIDATION_ERROR', `${field} must not contain control characters.`, field);
  return trimmed;
}

/** An outside text as one line of at most `max` characters: what does not fit is left out, never refused. */
export const tidied = (text: string, max: number): string =>
  [...text.normalize()]
    .map((character) => (isPrintable(character) ? character : ' '))
    .join('')
    .trim()
    .slice(0, max);
