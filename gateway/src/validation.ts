import { fail, type Fault } from '@tautan/kit';
import { z } from 'zod';

/** Maximum depth of a field path in an error message. */
const MAX_PATH_DEPTH = 4;
/** Maximum length of a field path or parameter name in an error message, characters. */
const MAX_FIELD_LENGTH = 128;

/** Parses a value with its schema. Throws VALIDATION_ERROR with the dotted path of the first invalid field. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  const field = path.slice(0, MAX_PATH_DEPTH).map(String).join('.').slice(0, MAX_FIELD_LENGTH);
  if (path.length === 0) throw fail('VALIDATION_ERROR', 'The body must be a JSON object.');
  const isUnknown = issue.code === 'unrecognized_keys';
  throw fail('VALIDATION_ERROR', isUnknown ? `Unknown field: ${field}.` : `${field} ${issue.message}.`, field);
}

/** Returns the error as the rest of a sentence that starts with the field's name. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return mustBeAtMost(issue.origin, issue.maximum);
    case 'too_small':
      return issue.minimum === 1 && unit(issue.origin)
        ? 'must not be empty'
        : `must be at least ${issue.minimum}${unit(issue.origin)}`;
    default:
      return undefined;
  }
}

/** Returns the error for a value above its maximum, as the rest of a sentence that starts with the field's name. */
export const mustBeAtMost = (origin: string, maximum: number | bigint): string =>
  `must be at most ${maximum}${unit(origin)}`;

const article = (type: string): string =>
  type === 'int' ? 'a whole number' : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

/** Parses a query string into the parameters of an operation. */
export type QueryReader = (querystring: string) => Record<string, unknown>;

/**
 * Returns a parser for the parameters of a schema. It does not validate the values. It throws VALIDATION_ERROR, naming
 * the parameter, for a repeated parameter that is not a list, for invalid percent-encoding, and for an unknown
 * parameter unless `ignoreUnknown` is set.
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
      if (value === undefined) throw fail('VALIDATION_ERROR', `${name} is not valid percent-encoding.`, name);
      if (kind === 'list') ((found[name] ??= []) as string[]).push(value);
      else if (name in found) throw fail('VALIDATION_ERROR', `${name} must not be repeated.`, name);
      else found[name] = kind === 'number' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    }
    return found;
  };
}

function unknownParameter(name: string): Fault {
  const field = name.slice(0, MAX_FIELD_LENGTH);
  return fail('VALIDATION_ERROR', `Unknown query parameter: ${field}.`, field);
}

function kindOf(field: z.ZodType): 'list' | 'number' | 'text' {
  const inner = unwrapped(field);
  if (inner instanceof z.ZodArray) return 'list';
  return inner instanceof z.ZodNumber ? 'number' : 'text';
}

/** Returns the schema of a field's input without pipes and without optional, nullable and default wrappers. */
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

/** Parses a body as a JSON object (RFC 8259; an empty body counts as an empty object). Throws VALIDATION_ERROR. */
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
