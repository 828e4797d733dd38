import { fail, isPrintable } from '@tautan/kit';

/** Validates a one-line text, trimmed, 1 to `max` characters. Throws VALIDATION_ERROR naming `field`. */
export function oneLine(text: string, field: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length === 0) throw fail('VALIDATION_ERROR', `${field} must not be empty.`, field);
  if (trimmed.length > max) throw fail('VALIDATION_ERROR', `${field} must have at most ${max} characters.`, field);
  if (!isPrintable(trimmed)) throw fail('VALIDATION_ERROR', `${field} must not contain control characters.`, field);
  return trimmed;
}

/** Converts an external text to one line of at most `max` characters. Truncates a longer text, and never throws. */
export const sanitize = (text: string, max: number): string =>
  [...text.normalize()]
    .map((character) => (isPrintable(character) ? character : ' '))
    .join('')
    .trim()
    .slice(0, max)
    // Half of a character of two units is not printable.
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
