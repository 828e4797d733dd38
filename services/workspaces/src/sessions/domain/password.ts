import { fail } from '@tautan/kit';

/** Maximum length of passwords that are passed to the provider, characters. */
const MAX = 1_024;

/** Validates the length of a password; its strength is validated by the provider. Throws VALIDATION_ERROR naming `password`. */
export function password(text: string): string {
  if (text === '') throw fail('VALIDATION_ERROR', 'password must not be empty.', 'password');
  if (text.length > MAX) throw fail('VALIDATION_ERROR', `password must have at most ${MAX} characters.`, 'password');
  return text;
}
