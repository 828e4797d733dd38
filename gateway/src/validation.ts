import { fail, type Fault } from '@tautan/kit';
import { z } from 'zod';

/** Deepest part of a path that is named; bodies have no fields beyond it. */
const PATH_MAX = 4;
/** Longest field name that is repeated to the client who made it up. */
const FIELD_MAX = 128;

/** A value by its schema. Throws VALIDATION_ERROR with the dotted path of the first thing that was refused. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, { error: complaint });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  const field = path.slice(0, PATH_MAX).map(String).join('.').slice(0, FIELD_MAX);
  if (path.length === 0) throw fail('VALIDATION_ERROR', 'A JSON object is expected.');
  throw fail('VALIDATION_ERROR', `${field} ${issue.message}.`, field);
}

/** What is wrong, as the rest of a sentence that begins with the field's name. */
function complaint(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is not a field of this request';
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return tooLong(issue.origin, issue.maximum);
    case 'too_small':
      return issue.minimum === 1 && unit(issue.origin)
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unit(issue.origin)}`;
    default:
      return undefined;
  }
}

/** What is said of a list or a text that is too long, as the rest of a sentence that begins with the field's name. */
export const tooLong = (origin: string, maximum: number | bigint): string =>
  `must be at most ${maximum}${unit(origin)}`;

const article = (type: string): string => (type === 'int' ? 'a whole number' : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`); // prettier-ignore

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

/** Parses a request's query by the schema of an operation. */
export type QueryReader = (querystring: string) => Record<string, unknown>;

/**
 * Returns a reader of the parameters that a schema declares. It throws VALIDATION_ERROR naming the parameter for one that is
 * given twice where the schema has no list, for broken %-encoding, and for an unknown one unless `ignoreUnknown` is set.
 */
export function queryReader(schema: z.ZodObject, ignoreUnknown: boolean): QueryReader {
  const kinds = new Map(Object.entries(schema.shape).map(([name, field]) => [name, kindOf(field as z.ZodType)]));
  return (querystring) => {
    const found: Record<string, unknown> = {};
    for (const pair of querystring.split('&').filter(Boolean)) {
      const cut = pair.indexOf('=');
      const rawName = cut < 0 ? pair : pair.slice(0, cut);
      const name = decode(rawName) ?? rawName;
      const kind = kinds.get(name);
      if (kind === undefined && ignoreUnknown) continue;
      if (kind === undefined) throw unknownParameter(name);
      const value = decode(cut < 0 ? '' : pair.slice(cut + 1));
      if (value === undefined) throw fail('VALIDATION_ERROR', `${name} is not well encoded.`, name);
      if (kind === 'list') ((found[name] ??= []) as string[]).push(value);
      else if (name in found) throw fail('VALIDATION_ERROR', `${name} must be given once.`, name);
      else found[name] = kind === 'number' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    }
    return found;
  };
}

function unknownParameter(name: string): Fault {
  const field = name.slice(0, FIELD_MAX);
  return fail('VALIDATION_ERROR', `Unknown query parameter: ${field}.`, field);
}

function kindOf(field: z.ZodType): 'list' | 'number' | 'text' {
  const inner = unwrapped(field);
  if (inner instanceof z.ZodArray) return 'list';
  return inner instanceof z.ZodNumber ? 'number' : 'text';
}

/** The schema of a field's value, whether or not the field may be absent or null. */
export function unwrapped(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodPipe) return unwrapped(field.in);
  const isWrapper = field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable;
  return isWrapper ? unwrapped((field as z.ZodOptional).unwrap()) : field;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON object of a body (RFC 8259; no body counts as an empty object), or VALIDATION_ERROR. */
export function parseBody(raw: Buffer): Record<string, unknown> {
  if (raw.length === 0) return {};
  let text: string;
  try {
    text = utf8.decode(raw);
  } catch {
    throw fail('VALIDATION_ERROR', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail('VALIDATION_ERROR', 'The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail('VALIDATION_ERROR', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}
