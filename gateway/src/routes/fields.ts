import { isPrintable, isPrintableLines, printableLinesPattern, printablePattern } from '@tautan/kit';
import { z } from 'zod';

/**
 * A text of at most `max` characters. The services check the exact length after trimming. This schema only rejects text
 * that contains unprintable characters, is shorter than `min`, or is longer than `2 * max` UTF-16 units, which leaves
 * room for surrogate pairs and surrounding spaces. `error` replaces every error message.
 */
export const text = (max: number, min = 0, error?: string) =>
  z
    .string(error)
    .min(min, error)
    .max(2 * max, error ?? `must have at most ${max} characters`)
    .refine(isPrintable, error ?? 'must contain only printable characters')
    .meta({ maxLength: max, pattern: printablePattern });

/**
 * A non-empty text of at most `max` characters after trimming, such as a name. Unlike `text`, it rejects any longer text.
 * The services reject blank text.
 */
export const trimmedText = (max: number) =>
  text(max, 1).refine((value) => [...value.trim()].length <= max, `must have at most ${max} characters`);

/** Like `text`, but the text is not empty and can have line breaks. */
export const multilineText = (max: number) =>
  z
    .string()
    .min(1)
    .max(2 * max, `must have at most ${max} characters`)
    .refine(isPrintableLines, 'must contain only printable characters and line breaks')
    .meta({ maxLength: max, pattern: printableLinesPattern });

/** A non-empty text of at most `max` UTF-16 units, such as an id or an email address. */
export const nonEmptyText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(isPrintable, 'must contain only printable characters')
    .meta({ pattern: printablePattern });

/** An optional field of a POST body. Null means absent, because generated clients send it for unset fields. */
export function optionalField<S extends z.ZodType>(schema: S) {
  const { id: _, ...described } = schema.meta() ?? {};
  return schema
    .nullable()
    .meta(described)
    .transform((value) => value ?? undefined)
    .optional();
}

/** An ISO 8601 date-time with an offset. The services parse it. */
export const dateTime = text(64, 1).meta({ format: 'date-time' });

/** A query parameter that bounds a time range. */
export const timeBound = (description: string) =>
  nonEmptyText(64)
    .optional()
    .meta({
      description: `${description} An ISO 8601 date-time with an offset, or a date (UTC).`,
      examples: ['2030-01-31T12:00:00.000Z'],
    });

/** A path parameter. The response to a value that can be neither an id nor a slug is NOT_FOUND. */
export const pathId = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description, examples: [example] });

/** The page size as a query parameter. */
export const pageSize = (max: number, fallback: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(max)
    .default(fallback)
    .meta({ description: 'Page size.', examples: [fallback] });

/** The cursor of a page as a query parameter. */
export const pageCursor = z
  .string()
  .min(1)
  .max(12_288)
  .optional()
  .meta({
    description: '`meta.page.nextCursor` of the previous page. It is valid only with the same filters and order.',
    examples: ['eyJ2IjoxfQ'],
  });
