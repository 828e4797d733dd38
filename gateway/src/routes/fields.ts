import { z } from 'zod';

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a text can be kept and shown: well-formed Unicode without control characters. */
const isPlain = (text: string): boolean => !control.test(text) && text.isWellFormed();

/** Text of bounded length, in UTF-16 code units. */
export const text = (max: number, min = 0) =>
  z.string().min(min).max(max).refine(isPlain, 'must not contain control characters or unpaired surrogates');

const toSecond = z.iso.datetime({ offset: true });
const toMinute = z.iso.datetime({ offset: true, precision: -1 });

/** A moment: ISO 8601 date and time with an offset or Z. A date alone is no moment. */
export const moment = z
  .string()
  .max(64)
  .refine(
    (given) => toSecond.safeParse(given).success || toMinute.safeParse(given).success,
    'must be an ISO 8601 date and time with an offset, such as 2030-01-31T12:00:00Z',
  )
  .meta({ format: 'date-time' });

/** A moment as it is answered. */
export const time = (description: string) =>
  z.string().meta({ format: 'date-time', description, examples: ['2030-01-31T12:00:00.000Z'] });

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
