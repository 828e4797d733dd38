import { fail } from '@tautan/kit';
import { z } from 'zod';
import { mustBeAtMost, unwrapped } from './validation.js';

/** Limits of a JSON body that are checked before it is parsed. */
export interface BodyBounds {
  /** Maximum number of values at all depths. */
  values: number;
  /** Maximum number of entries of each top-level list, by field name. */
  entries: ReadonlyMap<string, number>;
}

/** Default maximum number of values in a body. */
const MAX_VALUES = 10_000;

/** Returns the limits of an operation's body: those of the lists in its schema, and `values` in total. */
export function bodyBounds(schema: z.ZodObject, values = MAX_VALUES): BodyBounds {
  const entries = new Map<string, number>();
  for (const [name, field] of Object.entries(schema.shape)) {
    const list = unwrapped(field as z.ZodType);
    const { maxItems } = list instanceof z.ZodArray ? z.toJSONSchema(list, { io: 'input' }) : {};
    if (maxItems !== undefined) entries.set(name, maxItems);
  }
  return { values, entries };
}

/**
 * Throws VALIDATION_ERROR, naming the field, if a body has too many values or a list has too many entries. Parsing such
 * a body first would cost a hundred times as much.
 */
export function assertWithinBounds(raw: Buffer, bounds: BodyBounds): void {
  const excess = excessOf(raw, bounds);
  if (!excess) return;
  const { kind, field } = excess;
  const maximum = kind === 'entries' ? bounds.entries.get(field!)! : bounds.values;
  if (kind === 'entries') throw fail('VALIDATION_ERROR', `${field} ${mustBeAtMost('array', maximum)}.`, field);
  throw fail('VALIDATION_ERROR', `The body must have at most ${maximum} values.`, field);
}

/** An exceeded limit. `field` is the list with too many entries, or the field that contains the first excess value. */
export interface Excess {
  kind: 'entries' | 'values';
  field: string | undefined;
}

const [QUOTE, BACKSLASH, COMMA] = Buffer.from('"\\,') as unknown as [number, number, number];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = Buffer.from('[]{}') as unknown as [number, number, number, number];
/** Maximum length of a field name in an error message, bytes. */
const MAX_NAME_BYTES = 128;

/**
 * Returns the limit that a body exceeds, if any. Reads the bytes once, without parsing the values. Counts a value at
 * each comma and at each opening bracket or brace. Assumes valid JSON (RFC 8259), which the parser checks later.
 */
export function excessOf(body: Buffer, { values, entries }: BodyBounds): Excess | undefined {
  // Each value has at least one byte, so a body of at most `values` bytes cannot have too many values. The lists of the
  // body are checked after it is parsed.
  if (body.length <= values) return undefined;
  let [depth, valuesLeft] = [0, values];
  /** Start and end of the last string at the top level of the body: a field name if a list or an object follows. */
  let [nameStart, nameEnd] = [0, 0];
  /** Remaining entries of the current list. */
  let entriesLeft = Infinity;
  const field = () => nameOf(body, nameStart, nameEnd);
  for (let i = 0; i < body.length; i += 1) {
    const byte = body[i];
    if (byte === QUOTE) {
      const end = endOfText(body, i);
      // A string value is followed by a comma and the next name, so only a name can directly precede a list.
      if (depth === 1) [nameStart, nameEnd] = [i + 1, end];
      i = end;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      // After a comma at the top level, the first excess value is that of the next field.
      if ((valuesLeft -= 1) < 0)
        return { kind: 'values', field: byte === COMMA && depth === 1 ? nameAfter(body, i) : field() };
      if (byte !== COMMA) depth += 1;
      if (byte === BRACKET && depth === 2) entriesLeft = (entries.get(field() ?? '') ?? Infinity) - 1;
      else if (byte === COMMA && depth === 2 && (entriesLeft -= 1) < 0) return { kind: 'entries', field: field() };
    } else if (byte === BRACKET_END || byte === BRACE_END) {
      depth -= 1;
      if (depth === 1) entriesLeft = Infinity;
    }
  }
  return undefined;
}

const nameOf = (body: Buffer, start: number, end: number): string | undefined =>
  body.toString('utf8', start, Math.min(end, start + MAX_NAME_BYTES)) || undefined;

/** Returns the field name that follows an index. */
function nameAfter(body: Buffer, index: number): string | undefined {
  const quote = body.indexOf(QUOTE, index);
  return quote < 0 ? undefined : nameOf(body, quote + 1, endOfText(body, quote));
}

/** Returns the index of the closing quote of a string; the end of the body if there is none. */
function endOfText(body: Buffer, start: number): number {
  for (let i = start + 1; i < body.length; i += 1) {
    if (body[i] === BACKSLASH) i += 1;
    else if (body[i] === QUOTE) return i;
  }
  return body.length;
}
