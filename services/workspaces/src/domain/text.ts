import { checkText, isPrintable } from '@tautan/kit';

/** Returns the trimmed text. Throws VALIDATION_ERROR naming `field` unless it is one line of 1 to `max` characters. */
export const oneLine = (text: string, field: string, max: number): string => checkText(field, text.trim(), max);

/** Converts an external text to one line of at most `max` characters. Truncates a longer text, and never throws. */
export function sanitize(text: string, max: number): string {
  const line = [...text.normalize()].map((character) => (isPrintable(character) ? character : ' ')).join('');
  return [...line.trim()].slice(0, max).join('').trimEnd();
}
