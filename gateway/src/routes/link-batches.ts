import {
  bulkActions,
  bulkResultExample,
  bulkResultRecord,
  importResultExample,
  importResultRecord,
  LINK_ID,
  linkRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { exportFormats } from './export.js';
import { optionalField, text } from './fields.js';
import { importBody, importRow, resultView } from './import-rows.js';
import { exportQuery } from './link-schemas.js';
import { route, type Route } from './route.js';

const section = 'Links';
const BULK_TIMEOUT_MS = 15_000;
const IMPORT_TIMEOUT_MS = 30_000;
const EXPORT_TIMEOUT_MS = 10 * 60_000;
const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
/** Maximum number of JSON values: sufficient for 1,000 exported records, which have at most 45 values each. */
const MAX_IMPORT_VALUES = 100_000;

const bulkBody = z.strictObject({
  action: z.enum(bulkActions).meta({ description: 'Action to perform on each link.', examples: ['addTag'] }),
  ids: z
    .array(text(64, 1))
    .min(1)
    .max(100)
    .meta({ description: 'Ids of 1 to 100 links. Each is processed separately.', examples: [[LINK_ID]] }),
  tag: optionalField(
    text(50, 1).meta({
      description: 'Name or id of the tag; only for `addTag` and `removeTag`.',
      examples: ['newsletter'],
    }),
  ),
});

const bulk = route({
  id: 'bulkLinks',
  method: 'POST',
  path: '/api/v1/links/bulk',
  section,
  summary: 'Change many links',
  timeoutMs: BULK_TIMEOUT_MS,
  request: { body: bulkBody, bodyExample: { action: 'addTag', ids: [LINK_ID], tag: 'newsletter' } },
  success: {
    status: 200,
    description: 'The number of changed links, and the links that failed.',
    data: bulkResultRecord,
    example: bulkResultExample,
  },
  errors: [],
  handle: async ({ body }, { clients, rpc }) => {
    const { action, updated, unchanged, failed } = await clients.links.call('BulkLinks', body, rpc());
    return {
      data: { action, updated, unchanged, failed: failed.map(({ id, code, message }) => ({ id, code, message })) },
    };
  },
});

const importLinks = route({
  id: 'importLinks',
  method: 'POST',
  path: '/api/v1/links/import',
  section,
  summary: 'Import links',
  description:
    'Creates up to 1,000 links from a body of up to 5 MiB. A row that fails does not affect the others. With `dryRun`, rows are only validated. Rows have the fields of a new link, and also `status` and `createdAt`; null for an optional field means that it is absent. An exported record is a valid row: its read-only fields are ignored.',
  timeoutMs: IMPORT_TIMEOUT_MS,
  request: {
    body: importBody,
    bodyLimit: MAX_IMPORT_BYTES,
    bodyValues: MAX_IMPORT_VALUES,
    bodyExample: {
      dryRun: true,
      links: [{ url: 'https://example.com/a', slug: 'a1' }, { url: 'https://example.com/b' }],
    },
  },
  success: {
    status: 200,
    description: 'The result of each row.',
    data: importResultRecord,
    example: importResultExample,
  },
  errors: [],
  handle: async ({ body: { dryRun, links } }, { clients, rpc, operation }) => {
    const request = { dryRun, links: links.map(importRow), ...operation };
    const { results, total, created, failed } = await clients.links.call('ImportLinks', request, rpc());
    return { data: { dryRun, total, created, failed, results: results.map(resultView) } };
  },
});

const exportLinks = route({
  id: 'exportLinks',
  method: 'GET',
  path: '/api/v1/links/export',
  section,
  summary: 'Export links',
  description:
    'Returns all links of the workspace as a file, oldest first. The response is streamed. If an error occurs after the response has started, the connection is closed before the response is complete.',
  timeoutMs: EXPORT_TIMEOUT_MS,
  request: { query: exportQuery },
  success: {
    status: 200,
    description: 'The file.',
    other: [
      {
        type: 'text/csv',
        description:
          "A header line and one line per link. The `tags` cell is itself one CSV line. Cells that a spreadsheet would run as a formula (`^'*[=+\\-@\\t\\r]`) are prefixed with an apostrophe.",
      },
      { type: 'application/json', description: 'The envelope with all links as `data`.', data: z.array(linkRecord) },
      { type: 'application/x-ndjson', description: 'One link per line.' },
    ],
  },
  errors: [],
  handle: ({ query: { format } }, { clients, rpc, disconnectSignal, requestId }) => {
    const { write, type, extension } = exportFormats[format];
    const chunks = clients.links.stream('ExportLinks', {}, { ...rpc(), signal: disconnectSignal() });
    return {
      stream: write(chunks, requestId),
      type,
      filename: `links-${new Date().toISOString().slice(0, 10)}.${extension}`,
    };
  },
});

/** Operations on many links. */
export const linkBatchRoutes: Route[] = [bulk, importLinks, exportLinks];
