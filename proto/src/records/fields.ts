import { z } from 'zod';

// Schemas of record fields. The API documentation shows the description and the example of each.

/** Returns an example id with this prefix. */
export const exampleId = (prefix: string): string => `${prefix}_01jd3x8q4v5w6y7z8a9b0c1d2e`;

/** The id of a resource: a prefix, `_` and a ULID. */
export const identifier = (prefix: string, description: string) =>
  z.string().meta({ description, examples: [exampleId(prefix)] });

export const text = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const texts = (description: string, example: string[]) =>
  z.array(z.string()).meta({ description, examples: [example] });

/** A time as an ISO 8601 date-time in UTC with milliseconds. */
export const time = (description: string) =>
  z.string().meta({ format: 'date-time', description, examples: ['2030-01-31T12:00:00.000Z'] });

/** A whole number. */
export const count = (description: string, example: number) =>
  z
    .number()
    .int()
    .meta({ description, examples: [example] });

export const amount = (description: string, example: number) => z.number().meta({ description, examples: [example] });

export const flag = (description: string, example: boolean) => z.boolean().meta({ description, examples: [example] });

/** One of `values`; the example is the first unless given. */
export const choice = <const V extends readonly [string, ...string[]]>(
  values: V,
  description: string,
  example: V[number] = values[0],
) => z.enum(values).meta({ description, examples: [example] });
