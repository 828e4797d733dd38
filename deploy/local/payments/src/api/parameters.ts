import { z } from 'zod';
import { type ApiError, invalid } from './errors.js';

type Path = readonly PropertyKey[];

/** Returns the form name of a parameter, such as `items[0][price]`. */
const nameOf = ([first, ...rest]: Path): string => `${String(first)}${rest.map((key) => `[${String(key)}]`).join('')}`;

/**
 * Validates the parameters of a request. Throws Stripe's error for the first invalid one: `parameter_unknown`,
 * `parameter_missing`, `parameter_invalid_integer`, or an error without a code.
 */
export function parametersOf<T>(schema: z.ZodType<T>, raw: unknown): T {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refusalOf(issue!, raw);
}

function refusalOf(issue: z.core.$ZodIssue, raw: unknown): ApiError {
  if (issue.code === 'unrecognized_keys') {
    const name = nameOf([...issue.path, issue.keys[0]!]);
    return invalid(`Received unknown parameter: ${name}`, name, 'parameter_unknown');
  }
  const name = nameOf(issue.path);
  if (valueAt(raw, issue.path) === undefined)
    return invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  const code = issue.code === 'custom' ? (issue.params?.['code'] as string | undefined) : undefined;
  return invalid(issue.message, name, code);
}

function valueAt(raw: unknown, path: Path): unknown {
  let value = raw;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

const INTEGER = /^-?\d{1,15}$/;

/** Returns a schema for integers within a range. */
export const integer = (min = 0, max = 999_999_999_999) =>
  z.string().transform((text, context) => {
    const value = Number(text);
    const isInteger = INTEGER.test(text);
    if (isInteger && value >= min && value <= max) return value;
    const [message, code] = isInteger
      ? [`This value must be between ${min} and ${max}.`, undefined]
      : [`Invalid integer: ${text}`, 'parameter_invalid_integer'];
    context.issues.push({ code: 'custom', message, params: { code }, input: text });
    return z.NEVER;
  });

export const boolean = z
  .enum(['true', 'false'], { error: 'Invalid boolean: use true or false.' })
  .transform((text) => text === 'true');

export const text = (max = 500) => z.string().max(max, { error: `Invalid string: at most ${max} characters.` });

/** Schema of the id of another object. */
export const id = text(255).min(1);

/** Schema of an absolute http(s) URL. Braces are accepted, for `{CHECKOUT_SESSION_ID}`. */
export const webUrl = text(5_000).refine((value) => URL.canParse(value) && /^https?:\/\//i.test(value), {
  error: 'Not a valid URL: an explicit scheme (such as https) must be provided.',
});

export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, { error: 'Invalid currency: use a three-letter ISO 4217 code.' })
  .transform((code) => code.toLowerCase());

const MAX_KEYS = 50;

/** Schema of metadata. An empty value removes its key; `metadata=` removes all keys. */
export const metadata = z.union([
  z.literal(''),
  z
    .record(text(40), text(500))
    .refine((value) => Object.keys(value).length <= MAX_KEYS, { error: `At most ${MAX_KEYS} keys.` }),
]);

export type Metadata = Record<string, string>;

/** Returns the metadata after a change. */
export function changedMetadata(before: Metadata, change: z.infer<typeof metadata> | undefined): Metadata {
  if (change === undefined) return before;
  if (change === '') return {};
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
}

/** Parameters of every request. */
export const expand = { expand: z.array(text(200)).max(20).optional() };

/** Parameters of every list: https://docs.stripe.com/api/pagination */
export const paging = {
  ...expand,
  limit: integer(1, 100).optional(),
  starting_after: id.optional(),
  ending_before: id.optional(),
};
