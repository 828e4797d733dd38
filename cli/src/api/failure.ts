import { TautanError } from '@tautan/sdk';
import { unreachable } from '../connection.js';
import { fail, planLimitHint, signedOut, type CliError, type Failure } from '../errors.js';

/** Converts an error of the SDK to a `CliError`. Returns other errors unchanged. */
export function cliError(url: string, error: unknown): unknown {
  if (!(error instanceof TautanError)) return error;
  const { code, response, field } = error;
  if (code === 'INVALID_ARGUMENT' && field !== undefined && field in unsendable) return unsendable[field]!();
  if (code === 'UNEXPECTED_RESPONSE' && response) return notTautan(response);
  if (code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMED_OUT') return unreachable(url, error.cause);
  return refusal(error);
}

/** Errors for settings whose values cannot be sent in an HTTP header, keyed by the name of the SDK's option. */
const unsendable: Record<string, () => CliError> = {
  credential: () =>
    fail('signedOut', 'The API key contains an invalid character.', {
      hint: 'Check TAUTAN_API_KEY, or sign in with: tautan login',
    }),
  workspaceId: () =>
    fail('usage', 'The workspace id contains an invalid character.', {
      hint: 'Check --workspace or TAUTAN_WORKSPACE.',
    }),
};

/** Returns the error for a rejected request. The status determines the exit code. */
function refusal({ code, message, field, requestId, status = 0, response }: TautanError): CliError {
  const facts = [field ?? '', code, requestId ? `request ${requestId}` : ''].filter(Boolean);
  const hint = code === 'TOO_MANY_REQUESTS' ? waitHint(message, response) : hints[code];
  return fail(failureOf(status), message, { facts, hint, code, field });
}

const hints: Record<string, string> = {
  UNAUTHENTICATED: signedOut().hint!,
  TOKEN_EXPIRED: signedOut().hint!,
  FORBIDDEN: 'To see your role in each workspace, run: tautan workspaces list',
  PLAN_LIMIT_EXCEEDED: planLimitHint,
  PERSON_ONLY: 'Sign in as a user with: tautan login',
};

/**
 * Returns a hint that says when to try again, or undefined if there is no such time or the message contains the hint.
 */
function waitHint(message: string, response: Response | undefined): string | undefined {
  const seconds = response?.headers.get('retry-after');
  const hint = `Try again in ${seconds} s.`;
  return seconds && !message.includes(hint) ? hint : undefined;
}

/** Returns the error for a response that is not from the API, such as one from a proxy or another service. */
function notTautan({ status, url, headers }: Response): CliError {
  const { origin } = new URL(url);
  const hint = 'Check the service URL (--url or TAUTAN_URL).';
  if (status >= 300 && status < 400)
    return fail('unavailable', `${origin} redirects to ${headers.get('location')}.`, { hint });
  if (status >= 500) return fail('unavailable', `${origin} failed with status ${status}.`);
  return fail('unavailable', `${origin} did not respond like a Tautan service (status ${status}).`, { hint });
}

function failureOf(status: number): Failure {
  if (status === 401) return 'signedOut';
  if (status === 404) return 'notFound';
  return status >= 500 ? 'unavailable' : 'refused';
}
