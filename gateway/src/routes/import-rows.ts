import type { ImportResultMessage, ImportRow } from '@tautan/proto';
import { z } from 'zod';
import type { Fault } from '@tautan/kit';
import { failed } from '../envelope.js';
import { jsonSchema } from '../openapi/json-schema.js';
import { checked } from '../validation.js';
import { importItem, LINK_ID } from './link-schemas.js';

/** Body of POST /links/import. Its items are judged one by one, so that a wrong one does not fail the others. */
export const importBody = z.strictObject({
  dryRun: z
    .boolean()
    .nullish()
    .meta({ description: 'Validates everything and writes nothing.', default: false, examples: [true] })
    .transform((value) => value ?? false),
  links: z
    .array(z.unknown())
    .min(1)
    .max(1_000)
    .meta({
      description: '1 to 1,000 links to create; each stands alone.',
      examples: [[{ url: 'https://example.com/a', slug: 'a1' }]],
      items: jsonSchema(importItem, 'input', {}),
    }),
});

const rowError = z.object({
  code: z.string().meta({ description: 'Error code.', examples: ['SLUG_TAKEN'] }),
  message: z.string().meta({ description: 'What is wrong.', examples: ['The slug is in use on this domain.'] }),
  field: z
    .string()
    .optional()
    .meta({ description: 'The offending field of the row.', examples: ['slug'] }),
});

export const importResult = z.object({
  dryRun: z.boolean().meta({ description: 'As asked.', examples: [false] }),
  total: z
    .number()
    .int()
    .meta({ description: 'Rows given.', examples: [2] }),
  created: z
    .number()
    .int()
    .meta({ description: 'Links made.', examples: [1] }),
  failed: z
    .number()
    .int()
    .meta({ description: 'Rows refused.', examples: [1] }),
  results: z
    .array(
      z.object({
        index: z
          .number()
          .int()
          .meta({ description: 'Position of the row, from 0.', examples: [0] }),
        status: z
          .enum(['created', 'valid', 'failed'])
          .meta({ description: '`valid` in a dry run only.', examples: ['created'] }),
        id: z
          .string()
          .optional()
          .meta({ description: 'Id of the new link.', examples: [LINK_ID] }),
        slug: z
          .string()
          .optional()
          .meta({ description: 'Its slug, or the one asked for.', examples: ['a1'] }),
        error: rowError.optional().meta({ description: 'Why the row was refused.' }),
      }),
    )
    .meta({ description: 'One entry per row, in their order.' }),
});

/** A row for the link service: the link, or why its shape is refused (fields are named relative to the row). */
export function importRow(item: unknown): ImportRow {
  try {
    const { url, slug, domain, title, description, tags, expiresAt, maxClicks, ...rest } = checked(importItem, item);
    const { status, createdAt } = rest;
    return {
      link: present({ url, slug, domain, title, description, tags, expiresAt, maxClicks }),
      ...present({ status, createdAt }),
    };
  } catch (error) {
    return { error: failed(error as Fault).error };
  }
}

type Present<T> = { [F in keyof T]: Exclude<T[F], null> };

/** The fields that are set. */
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Present<T>;

/** A row's outcome as the API shows it. */
export function resultView({
  index,
  status,
  id,
  slug,
  error,
}: ImportResultMessage): z.infer<typeof importResult>['results'][number] {
  return {
    index,
    status: status as 'created',
    ...(id !== undefined && { id }),
    ...(slug !== undefined && { slug }),
    ...(error && {
      error: { code: error.code, message: error.message, ...(error.field !== undefined && { field: error.field }) },
    }),
  };
}
