import { stringify } from 'csv-stringify/sync';

export const csvType = 'text/csv; charset=utf-8; header=present';

/**
 * Records as lines of comma-separated values (RFC 4180), without a header. Cells that a spreadsheet would run as a formula
 * are prefixed with an apostrophe.
 */
export const csvRows = (columns: readonly string[], rows: readonly object[]): string =>
  stringify([...rows], { columns: [...columns], escape_formulas: true, record_delimiter: '\r\n' });
