import { JetStreamError } from './errors.js';

type Kind = 'string' | 'integer' | 'boolean' | 'string[]' | 'integer[]' | 'object';

const checks: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'integer[]': (value) => Array.isArray(value) && value.every((item) => Number.isSafeInteger(item)),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** An unvalidated JSON object. */
export type Fields = Record<string, unknown>;

/** Returns whether a value is empty. Clients send empty values for options that they do not use. */
const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isUnset));

/** Parses the JSON object of a request. An empty request is an empty object. Throws `invalidJson`. */
export function parseFields(payload: Buffer): Fields {
  if (payload.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch (error) {
    throw new JetStreamError('invalidJson', (error as Error).message);
  }
  if (!checks.object(value)) throw new JetStreamError('invalidJson', 'the request is not an object');
  return value as Fields;
}

/**
 * Returns the known fields that are not null, and validates their types. Other fields must be empty. Throws the error
 * that `refuse` returns for an `unsupported` field, and `invalidJson` for an unknown one, as in JetStream's strict
 * mode.
 */
export function pickFields(
  fields: Fields,
  known: Record<string, Kind>,
  refuse: (field: string) => Error,
  unsupported: readonly string[] = [],
): Fields {
  const picked: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind && value !== null) {
      if (!checks[kind](value)) throw new JetStreamError('invalidJson', `field ${name} must be of type ${kind}`);
      picked[name] = value;
    } else if (!isUnset(value)) {
      throw unsupported.includes(name) ? refuse(name) : new JetStreamError('invalidJson', `unknown field "${name}"`);
    }
  }
  return picked;
}
