import { parse } from 'csv-parse/browser/esm/sync';
import { needsDateOrder, readTime, type DateOrder } from './dates.js';
import type { FormatSpec, ImportField, Source } from './formats.js';

/** A cell that cannot be imported: the field, and the reason. */
export interface CellProblem {
  field: ImportField;
  message: string;
}

/** Settings for reading the cells of a file. */
export interface CellOptions {
  spec: FormatSpec;
  /** Whether the file is an export from Tautan itself. */
  own: boolean;
  order: DateOrder | undefined;
}

/** Returns the value of a cell in the format of the API, or undefined if the cell sets nothing. */
export function cellValue(source: Source, text: string, options: CellOptions): unknown {
  const cell = options.own ? unescaped(text) : text;
  const trimmed = cell.trim();
  if (source === null || trimmed === '') return undefined;
  if (source === 'archived') return isTrue(trimmed) ? 'archived' : undefined;
  if (source === 'shortUrl') return slugOf(trimmed);
  if (source === 'tags') return tagsOf(cell, options.spec.tagSeparator);
  // Text that is not a number is passed unchanged: the API reports the error.
  if (source === 'maxClicks') return /^\d+$/.test(trimmed) ? Number(trimmed) : trimmed;
  if (source === 'expiresAt' || source === 'createdAt') return timeOf(trimmed, options.order);
  return source === 'slug' && !options.own ? trimmed.replace(/^\/+|\/+$/g, '') : trimmed;
}

/** Returns the problem of a cell that cannot be imported, or undefined if it can. */
export function cellProblem(source: Source, text: string, { order }: CellOptions): CellProblem | undefined {
  const trimmed = text.trim();
  if (source === 'password' && trimmed !== '' && !/^(false|0|no|null)$/i.test(trimmed))
    return { field: 'url', message: 'The link is protected by a password. Tautan does not support passwords.' };
  if ((source === 'expiresAt' || source === 'createdAt') && !order && needsDateOrder(trimmed))
    return {
      field: source,
      message: `${trimmed} is ambiguous. Specify the order of day and month, or use the format 2030-01-31.`,
    };
  return undefined;
}

/** Removes the apostrophe that an export from Tautan puts before cells that a spreadsheet would run as a formula. */
const unescaped = (cell: string): string => cell.replace(/^'(?='*[=+\-@\t\r])/, '');

const isTrue = (cell: string): boolean => /^(true|1|yes|on|archived)$/i.test(cell);

/** Returns the time in ISO 8601, or the cell unchanged if it cannot be parsed: the API then reports the error. */
const timeOf = (cell: string, order: DateOrder | undefined): string => readTime(cell, order) ?? cell;

/** Returns the last path segment of the first short URL in a cell. The scheme may be missing. */
function slugOf(cell: string): string | undefined {
  const [address = ''] = /[^\s,;|"'[\]]+/.exec(cell) ?? [];
  const segments = address
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/, '')
    .split('/')
    .slice(1)
    .filter(Boolean);
  return segments.at(-1);
}

function tagsOf(cell: string, separator: string | undefined): unknown {
  if (separator)
    return cell
      .replace(/^\[|\]$/g, '')
      .split(separator)
      .map((tag) => tag.trim().replace(/^"|"$/g, ''))
      .filter(Boolean);
  try {
    return parse(cell, { relax_column_count: true, trim: true }).flat().filter(Boolean);
  } catch {
    return cell;
  }
}
