import { fail, planLimitHint, signedOut, type CliError, type Failure } from '../errors.js';

/** What the API answers, as far as this program reads it. */
export interface Envelope<T> {
  data: T;
  error: { code: string; message: string; field?: string } | null;
  meta?: { requestId?: string; page?: Page };
}

export interface Page {
  limit: number;
  hasMore: boolean;
  nextCursor?: string;
}

/** Reads an answer's envelope. Fails with what the API said, or because it is none. */
export async function readEnvelope<T>(response: Response): Promise<Envelope<T>> {
  const envelope = parse<T>(await response.text());
  if (response.ok && envelope && !envelope.error) return envelope;
  throw refusal(response, envelope);
}

function parse<T>(text: string): Envelope<T> | undefined {
  try {
    const value = JSON.parse(text) as Envelope<T>;
    return typeof value === 'object' && value && 'data' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error for an answer that is no success; how the command ends follows the status. */
function refusal(response: Response, envelope: Envelope<unknown> | undefined): CliError {
  const error = envelope?.error;
  if (!error) return stranger(response);
  const requestId = envelope.meta?.requestId ?? response.headers.get('x-request-id');
  const facts = [error.field ?? '', error.code, requestId ? `request ${requestId}` : ''].filter(Boolean);
  const hint = error.code === 'TOO_MANY_REQUESTS' ? waitHint(response) : hints[error.code];
  return fail(failureOf(response.status), error.message, { facts, hint, code: error.code, field: error.field });
}

const hints: Record<string, string> = {
  UNAUTHENTICATED: signedOut().hint!,
  TOKEN_EXPIRED: signedOut().hint!,
  FORBIDDEN: 'Your workspaces, and your role in each: tautan workspaces list',
  PLAN_LIMIT_EXCEEDED: planLimitHint,
  PERSON_ONLY: 'Sign in as a person with: tautan login',
};

function waitHint({ headers }: Response): string | undefined {
  const seconds = headers.get('retry-after');
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
