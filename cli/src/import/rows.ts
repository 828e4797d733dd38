import { fail } from '../errors.js';
import { readMoment } from '../output/times.js';

/** One link to import, and where in the source it stands ("line 4"). */
export interface SourceRow {
  at: string;
  item: unknown;
}

/** Fields that a row can have; the API takes no others. */
export const importFields = [
  'url',
  'slug',
  'domain',
  'title',
  'description',
  'tags',
  'expiresAt',
  'maxClicks',
  'createdAt',
] as const;

/** What an export tells besides; left out, so that an export can be imported. */
const exportFields = ['id', 'shortUrl', 'status', 'clickCount', 'lastClickAt', 'qrCodeCount', 'createdBy', 'updatedAt'];

/** A row of JSON as the API takes it: without what only an export tells, and without what is not set. */
export function jsonItem(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => field !== null && !exportFields.includes(name)),
  );
}

/** The fields that a header line names, in their order; undefined for a column that is left out. Fails for unknown ones. */
export function headerFields(header: string[]): (string | undefined)[] {
  const known = new Map([...importFields, ...exportFields].map((name) => [name.toLowerCase(), name]));
  const fields = header.map((title) => {
    const field = known.get(title.trim().toLowerCase());
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

/** A row of cells as the API takes it. `exported`: the cells are those of an export, tags joined by commas. */
export function cellsItem(fields: (string | undefined)[], cells: string[], exported: boolean): unknown {
  const item: Record<string, unknown> = {};
  fields.forEach((field, at) => {
    // An export writes an apostrophe before what a spreadsheet would run.
    const cell = exported ? cells[at]!.replace(/^'(?=[=+\-@\t\r])/, '') : cells[at]!;
    if (field && cell.trim() !== '') item[field] = cellValue(field, cell, exported ? ',' : ';');
  });
  return item;
}

function cellValue(field: string, cell: string, separator: string): unknown {
  if (field === 'tags')
    return cell
      .split(separator)
      .map((tag) => tag.trim())
      .filter(Boolean);
  // What is no number, or no time, goes as it is: the API says of the row what is wrong.
  if (field === 'maxClicks') return /^\s*\d+\s*$/.test(cell) ? Number(cell) : cell;
  if (field === 'expiresAt') return readMoment(cell.trim()) ?? cell;
  return cell.trim();
}
