import { z } from 'zod';
import { exportForms } from './export.js';
import { optionalField, text } from './fields.js';
import { importBody, importResult, importRow, resultView } from './import-rows.js';
import { exportQuery, LINK_ID, linkRecord } from './link-schemas.js';
import { route, type Route } from './route.js';

const section = 'Links';
const BULK_TIMEOUT_MS = 15_000;
const IMPORT_TIMEOUT_MS = 30_000;
const EXPORT_TIMEOUT_MS = 10 * 60_000;
const IMPORT_LIMIT = 5 * 1024 * 1024;
/** An exported record with as many tags as it may have holds 45 values. */
const IMPORT_VALUES = 100_000;

const bulkBody = z.strictObject({
  action: z
    .enum(['archive', 'activate', 'delete', 'addTag', 'removeTag'])
    .meta({ description: 'What to do with each link.', examples: ['addTag'] }),
  ids: z
    .array(text(64, 1))
    .min(1)
    .max(100)
    .meta({ description: 'Ids of 1 to 100 links; each is dealt with on its own.', examples: [[LINK_ID]] }),
  tag: optionalField(
    text(50, 1).meta({
      description: 'Name or id of the tag; with addTag and removeTag only.',
      examples: ['newsletter'],
    }),
  ),
});

const bulkResult = z.object({
  action: z.string().meta({ description: 'As asked.', examples: ['addTag'] }),
  updated: z
    .number()
    .int()
    .meta({ description: 'Links that were changed.', examples: [1] }),
  unchanged: z
    .number()
    .int()
    .meta({ description: 'Links that already were as the action wants them.', examples: [0] }),
  failed: z
    .array(
      z.object({
        id: z.string().meta({ description: 'As given.', examples: [LINK_ID] }),
        code: z.string().meta({ description: 'Error code.', examples: ['NOT_FOUND'] }),
        message: z.string().meta({ description: 'What is wrong.', examples: ['No such link.'] }),
      }),
    )
    .meta({ description: 'Links that were left alone, and why.' }),
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
    description: 'How many were changed, and which were not.',
    data: bulkResult,
    example: { action: 'addTag', updated: 1, unchanged: 0, failed: [] },
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
    'Creates up to 1,000 links from a body of up to 5 MiB. A row that is refused leaves the others alone; `dryRun` tells what would happen. Rows take the fields of a new link, `status` and `createdAt`; a null for an optional one means that it is absent. An exported record is a valid row: its other fields are ignored.',
  timeoutMs: IMPORT_TIMEOUT_MS,
  request: {
    body: importBody,
    bodyLimit: IMPORT_LIMIT,
    bodyValues: IMPORT_VALUES,
    bodyExample: {
      dryRun: true,
      links: [{ url: 'https://example.com/a', slug: 'a1' }, { url: 'https://example.com/b' }],
    },
  },
  success: {
    status: 200,
    description: 'What became of each row.',
    data: importResult,
    example: {
      dryRun: false,
      total: 2,
      created: 1,
      failed: 1,
      results: [
        { index: 0, status: 'created', id: LINK_ID, slug: 'a1' },
        {
          index: 1,
          status: 'failed',
          error: { code: 'VALIDATION_ERROR', message: 'url is required.', field: 'url' },
        },
      ],
    },
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
    'All links of the workspace, oldest first, as a file that is written while it is read. An answer that breaks off is incomplete: the connection is cut.',
  timeoutMs: EXPORT_TIMEOUT_MS,
  request: { query: exportQuery },
  success: {
    status: 200,
    description: 'The file.',
    other: [
      {
        type: 'text/csv',
        description:
          "A header line and one line per link. The `tags` cell is itself one CSV line. Cells that begin as a formula (`^'*[=+\\-@\\t\\r]`) are prefixed with an apostrophe.",
      },
      { type: 'application/json', description: 'The envelope with all links as its data.', data: z.array(linkRecord) },
      { type: 'application/x-ndjson', description: 'One link per line.' },
    ],
  },
  errors: [],
  handle: ({ query: { format } }, { clients, rpc, left, requestId }) => {
    const { write, type, ending } = exportForms[format];
    const chunks = clients.links.stream('ExportLinks', {}, { ...rpc(), signal: left() });
    return {
      stream: write(chunks, requestId),
      type,
      filename: `links-${new Date().toISOString().slice(0, 10)}.${ending}`,
    };
  },
});

/** Operations on many links at once. */
export const linkBatchRoutes: Route[] = [bulk, importLinks, exportLinks];
