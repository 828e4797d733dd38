import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { TautanError } from '@tautan/sdk';
import { importFormats, parseImport, type ImportOptions, type ParsedImport } from '@tautan/sdk/import-formats';
import { fail } from '../errors.js';
import { reasonOf } from '../output/file-problem.js';

/** A link to import and its position in the source, such as "line 4". */
export interface SourceRow {
  at: string;
  item: unknown;
}

/** The rows of a source. */
export interface Source {
  rows: SourceRow[];
  /** Format, columns and unreadable rows of a CSV file. */
  csv?: ParsedImport;
}

const fileFormats = ['csv', 'json', 'ndjson'] as const;
type FileFormat = (typeof fileFormats)[number];

/** Values of --format: a file format, or the product that wrote the CSV file. */
export const formatNames = [...fileFormats, ...importFormats];
export type FormatName = (typeof formatNames)[number];

export interface ReadOptions extends Omit<ImportOptions, 'format'> {
  format?: FormatName | undefined;
}

const fileFormatsByExtension: Record<string, FileFormat> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/**
 * Reads all rows of a file, or of standard input for `-`. Without `format`, detects the format from the file name or
 * else the content. Throws `usage` if the file cannot be read or parsed.
 */
export async function readRows(path: string, options: ReadOptions = {}): Promise<Source> {
  return parseRows(await contentOf(path), options, fileFormatsByExtension[extname(path).toLowerCase()]);
}

/**
 * Returns the rows of a text. `byExtension` is the format that the file name suggests; it applies if `format` is not
 * set. Throws `usage` if the text cannot be parsed.
 */
export function parseRows(text: string, { format, ...options }: ReadOptions = {}, byExtension?: FileFormat): Source {
  const content = text.replace(/^\ufeff/, '');
  const product = importFormats.find((name) => name === format);
  const fileFormat = product ? 'csv' : ((format as FileFormat | undefined) ?? byExtension ?? sniffed(content));
  if (fileFormat === 'csv') return csv(content, { ...options, format: product });
  return { rows: fileFormat === 'json' ? json(content) : ndjson(content) };
}

const nameOf = (path: string): string => (path === '-' ? 'Standard input' : path);

async function contentOf(path: string): Promise<string> {
  const bytes = await bytesOf(path);
  const [name, hint] = [nameOf(path), 'Convert it to UTF-8 and try again.'];
  if (isUtf16(bytes)) throw fail('usage', `${name} is encoded as UTF-16.`, { hint });
  if (!isUtf8(bytes)) throw fail('usage', `${name} is not encoded as UTF-8.`, { hint });
  return bytes.toString('utf8');
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(process.stdin) : await readFile(path);
  } catch (error) {
    throw fail('usage', `${nameOf(path)} cannot be read: ${reasonOf(error)}.`);
  }
}

/** Returns whether the bytes start with a UTF-16 byte order mark, or with an ASCII character encoded as UTF-16. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;

function sniffed(content: string): FileFormat {
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

function csv(content: string, options: ImportOptions): Source {
  const parsed = parsedCsv(content, options);
  const [problem] = parsed.problems;
  if (parsed.rows.length === 0 && problem)
    throw fail('usage', `No row can be imported. Line ${problem.line}: ${problem.message}`);
  return { rows: parsed.rows.map(({ line, item }) => ({ at: `line ${line}`, item })), csv: parsed };
}

function parsedCsv(content: string, options: ImportOptions): ParsedImport {
  try {
    return parseImport(content, options);
  } catch (error) {
    if (!(error instanceof TautanError)) throw error;
    const hint = 'The first line must name the columns. See: tautan links import --help';
    throw fail('usage', error.message, { hint });
  }
}

/** Reads an array of links, an object with such an array as `data`, or a single link. */
function json(content: string): SourceRow[] {
  const value = parsedJson(content, 'The input is not valid JSON');
  const data = (value as { data?: unknown } | null)?.data;
  const items = Array.isArray(value) ? (value as unknown[]) : Array.isArray(data) ? (data as unknown[]) : [value];
  return items.map((item, at) => ({ at: `item ${at + 1}`, item }));
}

/** Reads one link per line. */
function ndjson(content: string): SourceRow[] {
  return content.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    return { at: `line ${at + 1}`, item: parsedJson(line, `Line ${at + 1} is not valid JSON`) };
  });
}

function parsedJson(content: string, message: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw fail('usage', `${message}: ${(error as Error).message}.`);
  }
}
