import type { LinkMessage } from '@tautan/proto';
import { envelope } from '../envelope.js';
import { csvLine, csvRows, csvType } from './csv.js';
import type { LinkRecord } from './link-schemas.js';
import { linkView } from './link-view.js';

const columns = [
  'id',
  'slug',
  'domain',
  'shortUrl',
  'url',
  'title',
  'description',
  'tags',
  'status',
  'expiresAt',
  'maxClicks',
  'clickCount',
  'lastClickAt',
  'qrCodeCount',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof LinkRecord)[];

type Chunks = AsyncIterable<{ links: LinkMessage[] }>;

/**
 * Comma-separated values (RFC 4180) with a header line; the tags of a link are one CSV line in their cell, createdBy is its
 * id.
 */
async function* csv(chunks: Chunks): AsyncIterable<string> {
  // The header waits for the first rows, so that a failure before them can still be told.
  let header = `${columns.join(',')}\r\n`;
  for await (const { links } of chunks) {
    const rows = links.map((link) => {
      const view = linkView(link);
      return { ...view, tags: csvLine(view.tags), createdBy: view.createdBy.id };
    });
    yield header + csvRows(columns, rows);
    header = '';
  }
  if (header) yield header;
}

/** One JSON record per line. */
async function* ndjson(chunks: Chunks): AsyncIterable<string> {
  for await (const { links } of chunks) yield links.map((link) => `${JSON.stringify(linkView(link))}\n`).join('');
}

/** The envelope, its data written as it comes. */
async function* json(chunks: Chunks, requestId: string): AsyncIterable<string> {
  const [head, tail] = envelope({ data: [], error: null }, requestId).split('[]') as [string, string];
  let before = `${head}[`;
  for await (const { links } of chunks) {
    if (links.length === 0) continue;
    yield before + links.map((link) => JSON.stringify(linkView(link))).join(',');
    before = ',';
  }
  yield (before === ',' ? '' : before) + `]${tail}`;
}

/** The forms of an export: how it is written, its media type and file ending. */
export const exportForms = {
  csv: { write: csv, type: csvType, ending: 'csv' },
  json: { write: json, type: 'application/json; charset=utf-8', ending: 'json' },
  ndjson: { write: ndjson, type: 'application/x-ndjson; charset=utf-8', ending: 'ndjson' },
} as const satisfies Record<
  string,
  { write: (chunks: Chunks, requestId: string) => AsyncIterable<string>; type: string; ending: string }
>;
