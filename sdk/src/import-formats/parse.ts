import { parse } from 'csv-parse/browser/esm/sync';
import { TautanError } from '../error.js';
import type { BodyOf, Paths } from '../types.js';
import { cellProblem, cellValue, type CellOptions } from './cells.js';
import { dateOrderOf, type DateOrder } from './dates.js';
import {
  fieldOf,
  formats,
  importFormats,
  normalized,
  sourcesOf,
  type FormatSpec,
  type ImportField,
  type ImportFormat,
  type Source,
} from './formats.js';

/** A link in the body of `POST /links/import`. */
export type ImportItem = BodyOf<Paths['/links/import']['post']>['links'][number];

/** Separators of cells, by name. */
export const importDelimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type ImportDelimiter = keyof typeof importDelimiters;

export interface ImportOptions {
  /** Format of the text; recognized by its columns if absent. */
  format?: ImportFormat | undefined;
  /** Separator of cells; recognized if absent. */
  delimiter?: ImportDelimiter | undefined;
  /** Order of day and month in dates such as 3/4/2030; detected from unambiguous dates of the column if absent. */
  dateOrder?: DateOrder | undefined;
  /** Field of each listed column, by title; null ignores the column. The fields of other columns are recognized. */
  fields?: ColumnFields | undefined;
}

export type ColumnFields = Readonly<Record<string, ImportField | null>>;

export interface ParsedImport {
  format: ImportFormat;
  delimiter: ImportDelimiter;
  /** Every column, with the field that it fills; null for a column that is ignored. */
  columns: { title: string; field: ImportField | null; example: string | undefined }[];
  /** Links to import, with the line that each ends on. The API validates their values. */
  rows: { line: number; item: ImportItem }[];
  /** Rows that cannot be imported. */
  problems: { line: number; field: ImportField | undefined; message: string }[];
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

const delimiterNames = Object.keys(importDelimiters) as ImportDelimiter[];

/**
 * Reads a CSV export from Tautan or another product. A byte order mark and the `sep=;` line of spreadsheets are
 * accepted. In exports of other products, domains are ignored, links that have no status and whose `expiresAt` has
 * passed get the status `expired`, and columns with the titles of Tautan's own format, such as `maxClicks`, are read as
 * in that format.
 *
 * Throws `TautanError` with the code `INVALID_IMPORT` if the text is empty or not CSV, if a column appears twice, if
 * the format is `tautan` and a column is unknown, or if no column holds the destination.
 */
export function parseImport(text: string, options: ImportOptions = {}): ParsedImport {
  const { content, hint, skippedLines } = withoutPreamble(text);
  const delimiter = options.delimiter ?? hint ?? delimiterOf(content);
  const [header, ...records] = recordsOf(content, delimiter);
  if (!header) throw invalid('The file is empty.');
  const format = options.format ?? formatOf(header.record) ?? 'tautan';
  const columns = columnsOf(format, header.record, records, options);
  const parsed: ParsedImport = {
    format,
    delimiter,
    columns: columns.map(({ title, source, example }) => ({ title, field: fieldOf(source), example })),
    rows: [],
    problems: [],
  };
  for (const { record, info } of records) {
    const result = rowOf(format, columns, record);
    const line = info.lines + skippedLines;
    if ('message' in result) parsed.problems.push({ line, ...result });
    else parsed.rows.push({ line, item: result.item });
  }
  return parsed;
}

/** Returns the column titles of a file, even if its format is unknown. Throws `TautanError` if the text is not CSV. */
export function importTitles(text: string, { delimiter }: Pick<ImportOptions, 'delimiter'> = {}): string[] {
  const { content, hint } = withoutPreamble(text);
  return recordsOf(content, delimiter ?? hint ?? delimiterOf(content), 1)[0]?.record ?? [];
}

/** Removes a byte order mark, and the line with which spreadsheets declare their separator. */
function withoutPreamble(text: string): { content: string; hint: ImportDelimiter | undefined; skippedLines: number } {
  const content = text.replace(/^\ufeff/, '');
  const found = /^"?sep=([,;\t])"?\r?\n/i.exec(content);
  if (!found) return { content, hint: undefined, skippedLines: 0 };
  const hint = delimiterNames.find((name) => importDelimiters[name] === found[1]);
  return { content: content.slice(found[0].length), hint, skippedLines: 1 };
}

function recordsOf(content: string, delimiter: ImportDelimiter, to?: number): CsvRecord[] {
  const options = {
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    delimiter: importDelimiters[delimiter],
  };
  try {
    return parse(content, { ...options, ...(to !== undefined && { to }) }) as unknown as CsvRecord[];
  } catch (error) {
    throw invalid(`The file is not valid CSV: ${(error as Error).message.replace(/\.$/, '')}.`, error);
  }
}

/** Returns the delimiter that splits the first line into the most known titles; a comma by default. */
function delimiterOf(content: string): ImportDelimiter {
  const known = (delimiter: ImportDelimiter): number => {
    try {
      const titles = recordsOf(content, delimiter, 1)[0]?.record ?? [];
      return Math.max(...importFormats.map((format) => knownIn(formats[format], titles)));
    } catch {
      return 0;
    }
  };
  return delimiterNames.reduce((best, one) => (known(one) > known(best) ? one : best));
}

const knownIn = ({ columns }: FormatSpec, titles: string[]): number =>
  titles.filter((title) => Object.hasOwn(columns, normalized(title))).length;

const hasUrl = ({ columns }: FormatSpec, titles: string[]): boolean =>
  titles.some((title) => columns[normalized(title)] === 'url');

/** Returns the format that recognizes the most columns, among those whose destination column is present. */
function formatOf(titles: string[]): ImportFormat | undefined {
  const candidates = importFormats.filter((format) => hasUrl(formats[format], titles));
  const known = candidates.map((format) => knownIn(formats[format], titles));
  return candidates[known.indexOf(Math.max(...known))];
}

interface Column {
  title: string;
  source: Source;
  /** If several columns fill the same field, the column with the lowest rank whose cell is not empty is used. */
  rank: number;
  order: DateOrder | undefined;
  /** The first cell that is not empty. */
  example: string | undefined;
}

const isMapped = (fields: ColumnFields, title: string): boolean => Object.hasOwn(fields, title);

function columnsOf(format: ImportFormat, titles: string[], records: CsvRecord[], options: ImportOptions): Column[] {
  const { dateOrder, fields = {} } = options;
  checkTitles(format, titles, fields);
  const sources = sourcesOf(format);
  return titles.map((title, at) => {
    const name = normalized(title);
    const source =
      (isMapped(fields, title) ? fields[title] : Object.hasOwn(sources, name) ? sources[name] : null) ?? null;
    const cells = records.map(({ record }) => record[at] ?? '');
    const isTime = source === 'expiresAt' || source === 'createdAt';
    const order = dateOrder ?? (isTime ? dateOrderOf(cells) : undefined);
    return {
      title,
      source,
      rank: Object.keys(sources).indexOf(name),
      order,
      example: cells.find((cell) => cell.trim()),
    };
  });
}

/** Throws if a column appears twice, no column holds the destination, or a `tautan` file has an unknown column. */
function checkTitles(format: ImportFormat, titles: string[], fields: ColumnFields): void {
  const { columns, label } = formats[format];
  const names = titles.map(normalized);
  const duplicate = titles.find((_title, at) => names[at] !== '' && names.indexOf(names[at]!) !== at);
  if (duplicate !== undefined) throw invalid(`The column ${duplicate} appears twice.`);
  const unmapped = titles.filter((title) => !isMapped(fields, title));
  const unknown = unmapped.find((title) => format === 'tautan' && !Object.hasOwn(columns, normalized(title)));
  if (unknown !== undefined) throw invalid(`Unknown column: ${JSON.stringify(unknown)}.`);
  if (hasUrl(formats[format], unmapped) || titles.some((title) => fields[title] === 'url')) return;
  const expected = Object.keys(columns).filter((name) => columns[name] === 'url');
  throw invalid(
    `No destination column found. ${label} files have a column titled ${expected.join(' or ')}. Case, spaces and punctuation do not matter.`,
  );
}

type Row = { item: ImportItem } | { field: ImportField | undefined; message: string };

function rowOf(format: ImportFormat, columns: Column[], record: string[]): Row {
  if (record.length !== columns.length)
    return {
      field: undefined,
      message: `The row has a different number of cells (${record.length}) than the header (${columns.length}).`,
    };
  const item: Record<string, unknown> = {};
  const cells = columns.map((column, at) => ({ column, text: record[at]! }));
  for (const { column, text } of cells.sort((a, b) => a.column.rank - b.column.rank)) {
    const options: CellOptions = { spec: formats[format], own: format === 'tautan', order: column.order };
    const problem = cellProblem(column.source, text, options);
    if (problem) return problem;
    const field = fieldOf(column.source);
    if (field) item[field] ??= cellValue(column.source, text, options);
  }
  if (item['url'] === undefined) return { field: 'url', message: 'url is required.' };
  if (format !== 'tautan') expire(item);
  return { item: defined(item) as unknown as ImportItem };
}

/**
 * Sets the status `expired` if the row has no status and its expiry time has passed, because the API rejects an active
 * link whose expiry time has passed.
 */
function expire(item: Record<string, unknown>): void {
  if (typeof item['expiresAt'] === 'string' && Date.parse(item['expiresAt']) <= Date.now())
    item['status'] ??= 'expired';
}

const defined = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const invalid = (message: string, cause?: unknown): TautanError =>
  new TautanError('INVALID_IMPORT', message, { cause });
