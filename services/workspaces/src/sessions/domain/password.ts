import { fail } from '@tautan/kit';

/** Maximum length in characters of a password that is sent to the provider. */
const MAX_LENGTH = 1_024;

/**
 * Validates the length of a password; the provider validates its strength. Throws VALIDATION_ERROR naming `password`.
 */
export function password(text: string): string {
  if (text === '') throw fail('VALIDATION_ERROR', 'password must not be empty.', 'password');
  if (text.length > MAX_LENGTH)
    throw fail('VALIDATION_ERROR', `password must have at most ${MAX_LENGTH} characters.`, 'password');
  return text;
}
