import { fail, isPrintable } from '@tautan/kit';

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

export const checkTitle = (text: string): string => checkText('title', text, 200);
export const checkDescription = (text: string): string => checkText('description', text, 500);
