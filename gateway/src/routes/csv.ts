import { stringify } from 'csv-stringify/sync';

export const csvType = 'text/csv; charset=utf-8; header=present';

/** Cells that a spreadsheet would run as a formula, after any number of apostrophes, so that readers can remove one. */
const formula = /^'*[=+\-@\t\r]/;

const defused = (text: string): string => (formula.test(text) ? `'${text}` : text);

/**
 * Returns records as lines of comma-separated values (RFC 4180), without a header. Cells that a spreadsheet would run as a
 * formula are prefixed with an apostrophe. To undo it, take one off each cell that matches `^'+[=+\-@\t\r]`.
 */
export const csvRows = (columns: readonly string[], rows: readonly object[]): string =>
  stringify([...rows], { columns: [...columns], cast: { string: defused }, record_delimiter: '\r\n' });

/** Returns texts as one line of comma-separated values (RFC 4180), without a line break at its end. */
export const csvLine = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : stringify([[...texts]], { eof: false });
