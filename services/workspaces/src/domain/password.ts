import { fail } from '@tautan/kit';

/** Longest password that is passed on to the provider, characters. */
const MAX = 1_024;

/** A password that can be one at all; how good it must be is the provider's to say. Throws VALIDATION_ERROR naming `password`. */
export function password(text: string): string {
  if (text === '') throw fail('VALIDATION_ERROR', 'password must not be empty.', 'password');
  if (text.length > MAX) throw fail('VALIDATION_ERROR', `password has at most ${MAX} characters.`, 'password');
  return text;
}
