import { isPrintable, isPrintableLines, printableLinesPattern, printablePattern } from '@tautan/kit';
import { z } from 'zod';

/**
 * Text of at most `max` characters. The services judge texts by their rules; here is refused what cannot be carried or
 * is far too long (a character takes two units at most). `error`: what is said of whatever is wrong with it.
 */
export const text = (max: number, min = 0, error?: string) =>
  z
    .string(error)
    .min(min, error)
    .max(2 * max, error ?? `must have at most ${max} characters`)
    .refine(isPrintable, error ?? 'must hold printable characters only')
    .meta({ maxLength: max, pattern: printablePattern });

/** The same with line breaks. */
export const lines = (max: number) =>
  z
    .string()
    .max(2 * max, `must have at most ${max} characters`)
    .refine(isPrintableLines, 'must hold printable characters and line breaks only')
    .meta({ maxLength: max, pattern: printableLinesPattern });

/** A query parameter's text, of at most `max` UTF-16 units. */
export const term = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(isPrintable, 'must hold printable characters only')
    .meta({ pattern: printablePattern });

/** An optional field of a POST body: null means absent, as generated clients send it. */
export const optionalField = <S extends z.ZodType>(schema: S) =>
  schema
    .nullable()
    .meta({ ...schema.meta() })
    .transform((value) => value ?? undefined)
    .optional();

/** A moment as it is given: ISO 8601 date and time with an offset; the services read it. */
export const moment = text(64, 1).meta({ format: 'date-time' });

/** A moment as it is answered. */
export const time = (description: string) =>
  z.string().meta({ format: 'date-time', description, examples: ['2030-01-31T12:00:00.000Z'] });

/** A query parameter that bounds a range of times. */
export const timeBound = (description: string) =>
  term(64)
    .optional()
    .meta({
      description: `${description} An ISO 8601 date-time with an offset, or a date (UTC).`,
      examples: ['2030-01-31T12:00:00.000Z'],
    });

export const identifier = (prefix: string, description: string) =>
  z.string().meta({ description, examples: [`${prefix}_01jd3x8q4v5w6y7z8a9b0c1d2e`] });

/** A path parameter: what can be neither an id nor a slug is not found. */
export const pathId = (description: string, example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .meta({ description, examples: [example] });

export const deleted = (prefix: string) =>
  z.object({
    id: identifier(prefix, 'The id of what was deleted.'),
    deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
  });

export const count = (description: string, example: number) =>
  z
    .number()
    .int()
    .meta({ description, examples: [example] });

/** The size of a page as a query parameter. */
export const pageSize = (most: number, fallback: number) =>
  z
    .number()
    .int()
    .min(1)
    .max(most)
    .default(fallback)
    .meta({ description: 'Page size.', examples: [fallback] });

/** The place of a page as a query parameter. */
export const pageCursor = z
  .string()
  .min(1)
  .max(12_288)
  .optional()
  .meta({
    description: '`meta.page.nextCursor` of the page before; valid with the same filters and sort only.',
    examples: ['eyJ2IjoxfQ'],
  });
