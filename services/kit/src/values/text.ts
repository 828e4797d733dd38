import { fail } from '../errors.js';

// For character classes: C0, DEL and C1 controls, line and paragraph separators, bidirectional formatting characters.
const controls = String.raw`\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069`;

/**
 * JSON Schema pattern for the texts that `isPrintable` accepts. It also matches lone surrogates, which valid UTF-8
 * cannot contain.
 */
export const printablePattern = `^[^${controls}]*$`;

/** The corresponding pattern for `isPrintableLines`. */
export const printableLinesPattern = String.raw`^([^${controls}]|\r?\n)*$`;

const unprintable = new RegExp(String.raw`[${controls}\p{Cs}]`, 'u');
const lineBreak = /\r?\n/g;

/** Returns whether a text is one line of printable characters: safe to store, log and display unchanged. */
export const isPrintable = (text: string): boolean => !unprintable.test(text);

/** Returns whether a text consists of lines of printable characters, separated by LF or CRLF. */
export const isPrintableLines = (text: string): boolean => isPrintable(text.replaceAll(lineBreak, ' '));

/** Returns the start of a text, at most `max` UTF-16 code units, without splitting a surrogate pair. */
export const truncate = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** Throws VALIDATION_ERROR naming the field if a text is not printable (see `isPrintable`). */
export function checkCharacters(field: string, text: string): void {
  if (isPrintable(text)) return;
  throw fail('VALIDATION_ERROR', `${field} must contain only printable characters.`, field);
}

/**
 * Returns a text without surrounding whitespace. Throws VALIDATION_ERROR naming the field unless the text is printable
 * (see `isPrintable`) and the result has 1 to `max` characters (code points).
 */
export function checkText(field: string, value: string, max: number): string {
  checkCharacters(field, value);
  return trimmed(field, value, max);
}

/**
 * Returns a text of one or more lines, without surrounding whitespace and with LF instead of CRLF. Throws
 * VALIDATION_ERROR naming the field unless the text is printable (see `isPrintableLines`) and the result has 1 to `max`
 * characters (code points).
 */
export function checkLines(field: string, value: string, max: number): string {
  if (!isPrintableLines(value)) {
    throw fail('VALIDATION_ERROR', `${field} must contain only printable characters and line breaks.`, field);
  }
  return trimmed(field, value.replaceAll(lineBreak, '\n'), max);
}

function trimmed(field: string, value: string, max: number): string {
  const text = value.trim();
  if (text === '') throw fail('VALIDATION_ERROR', `${field} must not be empty.`, field);
  // A code point has at most two UTF-16 code units, so the code points of longer texts need not be counted.
  if (text.length > 2 * max || [...text].length > max) {
    throw fail('VALIDATION_ERROR', `${field} must have at most ${max} characters.`, field);
  }
  return text;
}
