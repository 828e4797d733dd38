import { TautanError } from '@tautan/sdk';
import { useMessages } from '../i18n/messages.js';
import { errorMessages } from './error-messages.js';

/** Returns whether the user must sign in. */
export const isSignedOut = (error: unknown): boolean => error instanceof TautanError && error.status === 401;

/**
 * Returns whether access was denied because of the user's role, because the user is not a member of the workspace, or
 * because the record is in another workspace.
 */
export const isForbidden = (error: unknown): boolean => error instanceof TautanError && error.status === 403;

/** Returns whether the requested record does not exist, or no longer exists. */
export const isMissing = (error: unknown): boolean => error instanceof TautanError && error.status === 404;

/**
 * Returns a function that describes an error of the API by its code, in the user's language. For invalid values, the
 * text includes the API's message.
 */
export function useApiErrorText(): (error: { code?: string; message: string }) => string {
  const t = useMessages(errorMessages);
  const known: Record<string, string | undefined> = t.codes;
  return ({ code = '', message }) => known[code] ?? t.invalid(message);
}

/** Returns a function that describes any error in the user's language. */
export function useErrorText(): (error: unknown) => string {
  const t = useMessages(errorMessages);
  const describe = useApiErrorText();
  return (error) => (error instanceof TautanError ? describe(error) : t.unexpected);
}
