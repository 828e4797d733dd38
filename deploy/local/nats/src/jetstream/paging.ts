import { JetStreamError } from './errors.js';
import type { Fields } from './fields.js';

/**
 * Returns the page of `all` that starts at the `offset` in the `fields` of a request. `total`, `offset` and `limit` are
 * fields of JetStream's list responses.
 */
export function page<T>(
  all: readonly T[],
  fields: Fields,
  limit: number,
): { items: T[]; total: number; offset: number; limit: number } {
  const offset = Math.min(Math.max(0, wholeNumber(fields, 'offset')), all.length);
  return { items: all.slice(offset, offset + limit), total: all.length, offset, limit };
}

/** Returns an optional integer of a request, 0 by default. Throws `invalidJson` if the field is not an integer. */
export function wholeNumber(fields: Fields, name: string): number {
  const value = fields[name] ?? 0;
  if (!Number.isSafeInteger(value)) throw new JetStreamError('invalidJson', `field ${name} must be of type integer`);
  return value as number;
}

/** Returns an optional string of a request, '' by default. Throws `invalidJson` if the field is not a string. */
export function text(fields: Fields, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value !== 'string') throw new JetStreamError('invalidJson', `field ${name} must be of type string`);
  return value;
}

/** Returns the entries of a map, sorted by name. */
export const byName = <T>(named: Map<string, T>): [string, T][] => [...named].sort(([a], [b]) => (a < b ? -1 : 1));
