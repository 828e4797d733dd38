import { TautanError } from '@tautan/sdk';
import { unreachable } from '../connection.js';
import { fail, planLimitHint, signedOut, type CliError, type Failure } from '../errors.js';

/** Maps an error of the client library to the one that ends the command. Returns other errors unchanged. */
export function cliError(url: string, error: unknown): unknown {
  if (!(error instanceof TautanError)) return error;
  const { code, response } = error;
  if (code === 'UNEXPECTED_RESPONSE' && response) return stranger(response);
  if (code === 'CONNECTION_FAILED' || code === 'REQUEST_TIMED_OUT') return unreachable(url, error.cause);
  return refusal(error);
}

/** The error for a refusal; how the command ends follows the status. */
function refusal({ code, message, field, requestId, status = 0, response }: TautanError): CliError {
  const facts = [field ?? '', code, requestId ? `request ${requestId}` : ''].filter(Boolean);
  const hint = code === 'TOO_MANY_REQUESTS' ? waitHint(response) : hints[code];
  return fail(failureOf(status), message, { facts, hint, code, field });
}

const hints: Record<string, string> = {
  UNAUTHENTICATED: signedOut().hint!,
  TOKEN_EXPIRED: signedOut().hint!,
  FORBIDDEN: 'Your workspaces, and your role in each: tautan workspaces list',
  PLAN_LIMIT_EXCEEDED: planLimitHint,
  PERSON_ONLY: 'Sign in as a person with: tautan login',
};

function waitHint(response: Response | undefined): string | undefined {
  const seconds = response?.headers.get('retry-after');
  return seconds ? `Try again in ${seconds} s.` : undefined;
}

/** What answers is not the API: a proxy, another service, a page. */
function stranger({ status, url, headers }: Response): CliError {
  const { origin } = new URL(url);
  const hint = 'Is the address right? --url or TAUTAN_URL sets it.';
  if (status >= 300 && status < 400)
    return fail('unavailable', `${origin} redirects to ${headers.get('location')}.`, { hint });
  if (status >= 500) return fail('unavailable', `${origin} failed with status ${status}.`);
  return fail('unavailable', `${origin} does not answer as Tautan does (status ${status}).`, { hint });
}

function failureOf(status: number): Failure {
  if (status === 401) return 'signedOut';
  if (status === 404) return 'notFound';
  return status >= 500 ? 'unavailable' : 'refused';
}
