import type { Fault } from '@tautan/kit';
import {
  importStatuses,
  jsonSchema,
  type ImportResultMessage,
  type ImportResultRecord,
  type ImportRow,
} from '@tautan/proto';
import { z } from 'zod';
import { failed } from '../envelope.js';
import { checked } from '../validation.js';
import { importItem, newLink } from './link-schemas.js';
import { wireValue } from './wire-fields.js';

/** Body of POST /links/import. Items are validated one by one, so that an invalid one does not fail the others. */
export const importBody = z.strictObject({
  dryRun: z
    .boolean()
    .nullish()
    .meta({ description: 'Validates all rows and creates nothing.', default: false, examples: [true] })
    .transform((value) => value ?? false),
  links: z
    .array(z.unknown())
    .min(1)
    .max(1_000)
    .meta({
      description: '1 to 1,000 links to create.',
      examples: [[{ url: 'https://example.com/a', slug: 'a1' }]],
      items: jsonSchema(importItem, 'input', {}),
    }),
});

const linkFields = Object.keys(newLink.shape) as (keyof typeof newLink.shape)[];

/** Returns a row for the link service: the link, or the error of its validation, whose field is relative to the row. */
export function importRow(item: unknown): ImportRow {
  try {
    const row = checked(importItem, item);
    const link = Object.fromEntries(linkFields.map((field) => [field, row[field]])) as z.infer<typeof newLink>;
    return { link: present(link), ...present({ status: row.status, createdAt: row.createdAt }) };
  } catch (error) {
    return { error: failed(error as Fault).error };
  }
}

type Present<T> = { [F in keyof T]: Exclude<T[F], null> };

/** Returns the fields that are set. */
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as Present<T>;

/** Returns the record of a row's result. */
export const resultView = ({
  index,
  status,
  id,
  slug,
  error,
}: ImportResultMessage): ImportResultRecord['results'][number] => ({
  index,
  status: wireValue(importStatuses, 'results.status', status),
  ...(id !== undefined && { id }),
  ...(slug !== undefined && { slug }),
  ...(error && {
    error: { code: error.code, message: error.message, ...(error.field !== undefined && { field: error.field }) },
  }),
});
