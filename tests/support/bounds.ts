import { schemaAt, type JsonSchema } from './description.js';

/** A test value for a field: at a bound of its schema, just beyond it, or of a wrong type. */
export interface Probe {
  /** Dotted path of the field. */
  field: string;
  value: unknown;
  isValid: boolean;
}

/** Generators of valid texts with a given length, for fields that require a format. */
const texts: Record<string, (length: number) => string> = {
  url: (length) => `https://example.com/`.padEnd(length, 'a'),
  slug: (length) => `${Math.random().toString(36).slice(2)}0000000000`.padEnd(length, '0').slice(0, length),
};
const textOf = (name: string, length: number): string => (texts[name] ?? ((n) => 'x'.repeat(n)))(length);

/**
 * Returns valid values at the bounds of a schema, or all values of an enum, and invalid values just beyond the bounds
 * or of a wrong type. For an object, returns those of each of its fields.
 */
export function probesOf(field: string, given: JsonSchema): Probe[] {
  const schema = schemaAt(given);
  const type = [schema.type].flat().find((each) => each !== 'null');
  const valid = (...values: unknown[]): Probe[] => values.map((value) => ({ field, value, isValid: true }));
  const invalid = (...values: unknown[]): Probe[] => values.map((value) => ({ field, value, isValid: false }));
  if (schema.enum) return [...valid(...schema.enum), ...invalid('nonsense', '')];
  const name = field.split('.').at(-1)!;
  const { minimum, maximum, maxLength, minLength = 0, maxItems, minItems = 0, items } = schema;
  if (type === 'integer' || type === 'number') {
    const bounds = [minimum, maximum].filter((bound) => bound !== undefined);
    const beyond = [minimum! - 1, maximum! + 1].filter((value) => !Number.isNaN(value));
    return [...valid(...bounds), ...invalid(...beyond, ...(type === 'integer' ? [(bounds[0] ?? 0) + 0.5] : []), 'x')];
  }
  if (type === 'string') {
    const tooLong = maxLength === undefined ? [] : [textOf(name, maxLength + 1)];
    const longest = maxLength === undefined ? [] : [textOf(name, maxLength)];
    // The generators in `texts` cannot create texts that are shorter than their format requires. Texts of one character
    // are left out, because some fields refuse them for other reasons.
    const shortest = minLength !== 1 && !(name in texts) ? [textOf(name, minLength)] : [];
    const tooShort = minLength > 0 ? [name in texts ? '' : textOf(name, minLength - 1)] : [];
    return [...valid(...longest, ...shortest), ...invalid(...tooLong, ...tooShort, 1)];
  }
  if (type === 'array' && maxItems !== undefined) {
    const list = (length: number) => Array.from({ length }, (_, n) => itemOf(items ?? {}, n));
    return [...valid(list(maxItems)), ...invalid(list(maxItems + 1), ...(minItems > 0 ? [[]] : []), 'x')];
  }
  if (type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([key, part]) => probesOf(`${field}.${key}`, part));
  return type === 'boolean' ? invalid('x') : [];
}

function itemOf(given: JsonSchema, n: number): unknown {
  const { enum: values, properties } = schemaAt(given);
  // `*` cannot be combined with other values.
  const choices = values?.filter((value) => value !== '*');
  if (choices) return choices[n % choices.length];
  return properties ? { url: `https://example.com/${n}` } : `item ${n}`;
}

/** Returns a copy of a body in which the field with the given dotted path has the given value. */
export function withValue(body: Record<string, unknown>, field: string, value: unknown): Record<string, unknown> {
  const [first, ...rest] = field.split('.') as [string, ...string[]];
  if (rest.length === 0) return { ...body, [first]: value };
  return { ...body, [first]: withValue((body[first] ?? {}) as Record<string, unknown>, rest.join('.'), value) };
}
