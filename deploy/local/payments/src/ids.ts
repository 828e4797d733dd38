import { randomInt } from 'node:crypto';

const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;

/** Returns random letters and digits. */
export const randomText = (length: number, alphabet = lettersAndDigits): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/**
 * Returns a new id in Stripe's format, such as `sub_` followed by 24 letters and digits. Session ids grant access, so
 * they must be unguessable.
 */
export const newId = (prefix: string, length = LENGTH): string => `${prefix}_${randomText(length)}`;
