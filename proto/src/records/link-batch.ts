import { z } from 'zod';
import { choice, count, flag, text } from './fields.js';
import { LINK_ID } from './link.js';

/** Actions of POST /links/bulk. */
export const bulkActions = ['archive', 'activate', 'delete', 'addTag', 'removeTag'] as const;
export const importStatuses = ['created', 'valid', 'failed'] as const;

export const bulkResultRecord = z.object({
  action: text('Action of the request.', 'addTag'),
  updated: count('Number of links that were changed.', 1),
  unchanged: count('Number of links that needed no change.', 0),
  failed: z
    .array(
      z.object({
        id: text('Id in the request.', LINK_ID),
        code: text('Error code.', 'NOT_FOUND'),
        message: text('Error message.', 'No link with this id.'),
      }),
    )
    .meta({ description: 'Links that could not be changed, with the reason.' }),
});
export type BulkResultRecord = z.infer<typeof bulkResultRecord>;

export const bulkResultExample: BulkResultRecord = { action: 'addTag', updated: 1, unchanged: 0, failed: [] };

const rowError = z.object({
  code: text('Error code.', 'SLUG_TAKEN'),
  message: text('Error message.', 'This slug is already in use on this domain.'),
  field: text('Invalid field of the row, or the name of the exceeded limit.', 'slug').optional(),
});

export const importResultRecord = z.object({
  dryRun: flag('Whether this was a dry run.', false),
  total: count('Number of rows.', 2),
  created: count('Number of links created.', 1),
  failed: count('Number of rows that failed.', 1),
  results: z
    .array(
      z.object({
        index: count('Position of the row, from 0.', 0),
        status: choice(importStatuses, '`valid` instead of `created` in a dry run.'),
        id: text('Id of the new link.', LINK_ID).optional(),
        slug: text('Slug of the new link, or the requested one.', 'a1').optional(),
        error: rowError.optional().meta({ description: 'Why the row failed.' }),
      }),
    )
    .meta({ description: 'One entry per row, in the order of the rows.' }),
});
export type ImportResultRecord = z.infer<typeof importResultRecord>;

export const importResultExample: ImportResultRecord = {
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
};
