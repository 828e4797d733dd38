import { stringify } from 'csv-stringify/sync';

export const csvType = 'text/csv; charset=utf-8; header=present';

/**
 * Matches cells that a spreadsheet would evaluate as a formula, with or without apostrophes in front. Every matching
 * cell is prefixed with one apostrophe, so that readers can always remove exactly one.
 */
const formula = /^'*[=+\-@\t\r]/;

/**
 * Matches CR and LF. If the record delimiter is CRLF, the library does not quote cells with a lone CR or LF by default.
 */
const lineBreak = /[\r\n]/;

const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

/**
 * Returns records as lines of comma-separated values (RFC 4180), without a header. Cells that a spreadsheet would run
 * as a formula are prefixed with an apostrophe. To undo this, remove one apostrophe from each cell that matches
 * `^'+[=+\-@\t\r]`.
 */
export const csvRows = (columns: readonly string[], rows: readonly object[]): string =>
  stringify([...rows], {
    columns: [...columns],
    cast: { string: escapeFormula },
    record_delimiter: '\r\n',
    quoted_match: lineBreak,
  });

/** Returns texts as one line of comma-separated values (RFC 4180), without a line break at its end. */
export const csvLine = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : stringify([[...texts]], { eof: false });
