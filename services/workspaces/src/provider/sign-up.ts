import { fail, type Fault, type Upstream } from '@tautan/kit';
import type { IdentitySettings } from '../config.js';
import { sanitize } from '../domain/text.js';
import type { IdentityProvider } from './identity-provider.js';
import { fetchProvider } from './http.js';
import { readBounded } from './read-bounded.js';

const MAX_BYTES = 65_536;

/** The body of an error response, not validated. */
interface ErrorBody {
  error?: unknown;
  message?: unknown;
}

/** Creates the calls for sign-up and forgotten passwords. */
export function signUps({
  settings,
  upstream,
}: {
  settings: IdentitySettings;
  upstream: Upstream;
}): Pick<IdentityProvider, 'signUp' | 'forgotPassword'> {
  const post = (operation: string, url: string, body: unknown): Promise<void> =>
    upstream.call(operation, async () => {
      const answer = await fetchProvider(upstream, url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(settings.timeoutMs),
      });
      const text = await readBounded(answer, MAX_BYTES);
      if (answer.ok) return;
      throw faultOf(answer.status, errorBodyIn(text)) ?? new Error(`the provider responded with ${answer.status}`);
    });

  return {
    signUp: async (account) => {
      if (!settings.signUpUrl)
        throw fail('NOT_FOUND', 'Sign-up is not available. Ask an administrator for an account.');
      await post('sign-up', settings.signUpUrl, account);
    },

    forgotPassword: async (email) => {
      const url = settings.forgotPasswordUrl;
      if (!url)
        throw fail('NOT_FOUND', 'Passwords cannot be reset here. Ask the administrator of the identity provider.');
      await post('forgotten password', url, { email });
    },
  };
}

function errorBodyIn(text: string): ErrorBody {
  try {
    return (JSON.parse(text) ?? {}) as ErrorBody;
  } catch {
    return {};
  }
}

function faultOf(status: number, { error, message }: ErrorBody): Fault | undefined {
  const reason = typeof message === 'string' && message !== '' ? sanitize(message, 300) : undefined;
  if (status === 409 || error === 'email_taken') {
    return fail('VALIDATION_ERROR', 'An account with this email address already exists.', 'email');
  }
  if (error === 'invalid_email') return fail('VALIDATION_ERROR', reason ?? 'email is not valid.', 'email');
  if (error === 'weak_password') return fail('VALIDATION_ERROR', reason ?? 'password is too weak.', 'password');
  if (status === 429)
    return fail('TOO_MANY_REQUESTS', 'Too many attempts. The identity provider requires a pause before the next one.');
  return undefined;
}
