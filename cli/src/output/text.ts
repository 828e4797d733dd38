import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the width of text in terminal columns. Wide characters take two. */
export const widthOf = (text: string): number => stringWidth(text);

/** Returns text for safe printing on one line: control characters become �, a run of white space becomes a space. */
export const printable = (text: string): string => withoutControls(text.replace(/\s+/g, ' '));

/** Returns text with � in place of control characters and of characters that change the writing direction. */
export const withoutControls = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');

/** Truncates text to a number of columns, never inside a character. An ellipsis replaces the rest. */
export function truncated(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const width = widthOf(segment);
    if (used + width > columns - 1) break;
    kept += segment;
    used += width;
  }
  return `${kept}…`;
}

/** Formats a number with separators, such as "1,234". */
export const count = (number: number): string => number.toLocaleString('en-US');

/** Formats a number with its noun, such as "1 link" or "2 links". */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Formats a size, such as "812 bytes" or "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  // Sizes from 999,950 bytes up to 1 MB would be formatted as 1000.0 kB.
  return bytes < 999_950 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
