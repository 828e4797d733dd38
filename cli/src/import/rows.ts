import { parse } from 'csv-parse/sync';
import { fail } from '../errors.js';
import { readMoment } from '../output/times.js';

/** One link to import, and where in the source it stands ("line 4"). */
export interface SourceRow {
  at: string;
  item: unknown;
}

/** Columns that are read. */
export const importFields = [
  'url',
  'slug',
  'domain',
  'title',
  'description',
  'tags',
  'status',
  'expiresAt',
  'maxClicks',
  'createdAt',
] as const;

/** Read-only columns of an export, which are skipped. */
const exportFields = ['id', 'shortUrl', 'clickCount', 'lastClickAt', 'qrCodeCount', 'createdBy', 'updatedAt'];

const known = new Map([...importFields, ...exportFields].map((name) => [name.toLowerCase(), name]));
const columnOf = (title: string): string | undefined => known.get(title.trim().toLowerCase());

/** Whether a title of a column is a field of links. */
export const isKnownColumn = (title: string): boolean => columnOf(title) !== undefined;

/** The fields that a header line names, in their order; undefined for a column that is left out. Fails for unknown ones. */
export function headerFields(header: string[]): (string | undefined)[] {
  const fields = header.map((title) => {
    const field = columnOf(title);
    if (field) return field;
    throw fail('usage', `The column ${JSON.stringify(title)} is none of a link.`, {
      hint: `The first line names the columns: ${importFields.join(', ')}`,
    });
  });
  const twice = fields.find((field, at) => fields.indexOf(field) !== at);
  if (twice) throw fail('usage', `The column ${twice} is there twice.`);
  if (!fields.includes('url'))
    throw fail('usage', 'There is no column url.', {
      hint: `The first line names the columns: ${importFields.join(', ')}`,
    });
  return fields.map((field) => (exportFields.includes(field) ? undefined : field));
}

/** Returns a row of cells as the API takes it. Empty cells are left out. */
export function cellsItem(fields: (string | undefined)[], cells: string[]): unknown {
  const item: Record<string, unknown> = {};
  fields.forEach((field, at) => {
    // An export writes one apostrophe before what a spreadsheet would run as a formula, and before what looks so escaped.
    const cell = cells[at]!.replace(/^'(?='*[=+\-@\t\r])/, '');
    if (field && cell.trim() !== '') item[field] = cellValue(field, cell);
  });
  return item;
}

function cellValue(field: string, cell: string): unknown {
  if (field === 'tags') return tagNames(cell);
  // What is no number, or no time, goes as it is: the API says of the row what is wrong.
  if (field === 'maxClicks') return /^\s*\d+\s*$/.test(cell) ? Number(cell) : cell;
  if (field === 'expiresAt') return readMoment(cell.trim()) ?? cell;
  return cell.trim();
}

/** The tags of a cell, which is one line of CSV; a cell that is none goes as it is. */
function tagNames(cell: string): unknown {
  try {
    const lines = parse(cell, { relax_column_count: true, trim: true });
    return lines.flat().filter(Boolean);
  } catch {
    return cell;
  }
}
