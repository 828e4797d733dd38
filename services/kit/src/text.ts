import { fail } from './errors.js';

// Controls (C0, DEL, C1), lone surrogates, line and paragraph separators, and the marks that reverse text.
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is one line of printable characters: fit to be stored, logged and shown as it is. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);

/** Refuses control characters, lone surrogates and marks that reverse text. Throws VALIDATION_ERROR naming the field. */
export function checkCharacters(field: string, text: string): void {
  if (isPrintable(text)) return;
  throw fail('VALIDATION_ERROR', `${field} must hold printable characters only.`, field);
}

/**
 * A text of 1 to `max` characters (code points), without the white space around it. Throws VALIDATION_ERROR naming the
 * field.
 */
export function checkText(field: string, value: string, max: number): string {
  checkCharacters(field, value);
  const text = value.trim();
  if (text === '') throw fail('VALIDATION_ERROR', `${field} must not be empty.`, field);
  // A code point takes two units at most, so that longer texts need no counting.
  if (text.length > 2 * max || [...text].length > max) {
    throw fail('VALIDATION_ERROR', `${field} must have at most ${max} characters.`, field);
  }
  return text;
}
