import { fail, isPrintable, truncate } from '@tautan/kit';

/** Returns a text trimmed. Throws VALIDATION_ERROR naming `field` unless it is one line of 1 to `max` characters. */
export function oneLine(text: string, field: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length === 0) throw fail('VALIDATION_ERROR', `${field} must not be empty.`, field);
  if (trimmed.length > max) throw fail('VALIDATION_ERROR', `${field} must have at most ${max} characters.`, field);
  if (!isPrintable(trimmed)) throw fail('VALIDATION_ERROR', `${field} must not contain control characters.`, field);
  return trimmed;
}

/** Converts an external text to one line of at most `max` characters. Truncates a longer text, and never throws. */
export function sanitize(text: string, max: number): string {
  const line = [...text.normalize()].map((character) => (isPrintable(character) ? character : ' ')).join('');
  return truncate(line.trim(), max).trimEnd();
}
