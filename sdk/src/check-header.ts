import { TautanError } from './error.js';

/** Throws `INVALID_ARGUMENT` if the value of the argument `field` is not allowed in an HTTP header. */
export function checkHeader(field: string, value: string): void {
  try {
    new Headers([['x-value', value]]);
  } catch (cause) {
    throw new TautanError('INVALID_ARGUMENT', `${field} contains a character that is not allowed in an HTTP header.`, {
      field,
      cause,
    });
  }
}
