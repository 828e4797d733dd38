import { linkRecord, type LinkMessage } from '@tautan/proto';
import { envelope } from '../envelope.js';
import { csvLine, csvRows, csvType } from './csv.js';
import { linkView } from './link-view.js';

const columns = Object.keys(linkRecord.shape);

type Chunks = AsyncIterable<{ links: LinkMessage[] }>;

/**
 * Yields comma-separated values (RFC 4180) with a header line. The `tags` cell contains the tags as a CSV line; the
 * `createdBy` cell contains the id of the creator.
 */
async function* csv(chunks: Chunks): AsyncIterable<string> {
  // Send the header with the first rows, so that an error before them can still set the response status.
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

/** Yields one JSON record per line. */
async function* ndjson(chunks: Chunks): AsyncIterable<string> {
  for await (const { links } of chunks) yield links.map((link) => `${JSON.stringify(linkView(link))}\n`).join('');
}

/** Yields the envelope, with links as they arrive. */
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

/** The writer, media type and file extension of each export format. */
export const exportFormats = {
  csv: { write: csv, type: csvType, extension: 'csv' },
  json: { write: json, type: 'application/json; charset=utf-8', extension: 'json' },
  ndjson: { write: ndjson, type: 'application/x-ndjson; charset=utf-8', extension: 'ndjson' },
} as const satisfies Record<
  string,
  { write: (chunks: Chunks, requestId: string) => AsyncIterable<string>; type: string; extension: string }
>;
