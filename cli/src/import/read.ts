import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { fail } from '../errors.js';
import { reasonOf } from '../output/file-problem.js';
import { delimiters, type DelimiterName } from './delimiter.js';
import { cellsItem, headerFields, isKnownColumn, type SourceRow } from './rows.js';

export type ImportFormat = 'csv' | 'json' | 'ndjson';

const endings: Record<string, ImportFormat> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/**
 * Reads all rows of a file, or of standard input for `-`. The format follows the file's name, else what the text begins
 * with. Fails with `usage` when it cannot be read as that: then nothing was sent yet.
 */
export async function readRows(path: string, format?: ImportFormat, delimiter?: DelimiterName): Promise<SourceRow[]> {
  return parseRows(await contentOf(path), format ?? endings[extname(path).toLowerCase()], delimiter);
}

/** Returns all rows of a text, whose format is guessed where it is not given. Fails with `usage` as `readRows` does. */
export function parseRows(text: string, format?: ImportFormat, delimiter?: DelimiterName): SourceRow[] {
  const content = text.replace(/^\ufeff/, '');
  return readers[format ?? sniffed(content)](content, delimiter);
}

async function contentOf(path: string): Promise<string> {
  try {
    const bytes = path === '-' ? await buffer(process.stdin) : await readFile(path);
    if (!isUtf16(bytes)) return bytes.toString('utf8');
  } catch (error) {
    throw fail('usage', `${path} cannot be read: ${reasonOf(error)}.`);
  }
  throw fail('usage', `${path} is encoded as UTF-16.`, { hint: 'Save it as UTF-8 and try again.' });
}

/** Whether text begins with the byte order mark of UTF-16, or with a character in two bytes. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;

function sniffed(content: string): ImportFormat {
  const start = content.trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) return 'csv';
  return isJson(start.split('\n', 1)[0]!) && start.trim().includes('\n') ? 'ndjson' : 'json';
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const readers: Record<ImportFormat, (content: string, delimiter?: DelimiterName) => SourceRow[]> = {
  csv,
  json,
  ndjson,
};

/** Separated values (RFC 4180, or with semicolons or tabs) whose first line names the columns. */
function csv(content: string, name?: DelimiterName): SourceRow[] {
  const delimiter = name ? delimiters[name] : delimiterOf(content);
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(content, { info: true, skip_empty_lines: true, delimiter }) as unknown as typeof records;
  } catch (error) {
    throw fail('usage', `This is no CSV: ${(error as Error).message}.`);
  }
  const [header, ...rows] = records;
  if (!header) throw fail('usage', 'There is nothing to import.');
  const fields = headerFields(header.record);
  return rows.map(({ record, info }) => ({ at: `line ${info.lines}`, item: cellsItem(fields, record) }));
}

/** Returns the delimiter under which the first line names the most columns of a link; a comma where none does. */
function delimiterOf(content: string): string {
  const candidates = Object.values(delimiters);
  const known = candidates.map((delimiter) => headerOf(content, delimiter).filter(isKnownColumn).length);
  return candidates[known.indexOf(Math.max(...known))]!;
}

function headerOf(content: string, delimiter: string): string[] {
  try {
    const [header] = parse(content, { delimiter, to: 1, skip_empty_lines: true });
    return header ?? [];
  } catch {
    return [];
  }
}

/** An array of links, or an object that carries one as `data`; a single link is one row. */
function json(content: string): SourceRow[] {
  const value = parsed(content, 'This is no JSON');
  const data = (value as { data?: unknown } | null)?.data;
  const items = Array.isArray(value) ? (value as unknown[]) : Array.isArray(data) ? (data as unknown[]) : [value];
  return items.map((item, at) => ({ at: `item ${at + 1}`, item }));
}

/** One link per line. */
function ndjson(content: string): SourceRow[] {
  return content.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    return { at: `line ${at + 1}`, item: parsed(line, `Line ${at + 1} is no JSON`) };
  });
}

function parsed(content: string, complaint: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw fail('usage', `${complaint}: ${(error as Error).message}.`);
  }
}
