import { randomInt } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;

/** Random letters and digits. */
export const randomText = (length: number, alphabet = letters): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A new id in Stripe's form, such as `sub_` and 24 letters and digits. Who knows one of a session may pay it. */
export const newId = (prefix: string, length = LENGTH): string => `${prefix}_${randomText(length)}`;
