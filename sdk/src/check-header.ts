import { TautanError } from './error.js';

/** Throws `INVALID_ARGUMENT` if HTTP cannot carry the value of the argument `field` in a header. */
export function checkHeader(field: string, value: string): void {
  try {
    new Headers([['x-value', value]]);
  } catch (cause) {
    throw new TautanError('INVALID_ARGUMENT', `${field} contains a character that HTTP cannot carry in a header.`, {
      field,
      cause,
    });
  }
}
