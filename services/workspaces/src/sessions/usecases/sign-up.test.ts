import { expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import type { Tokens } from '../../provider/identity-provider.js';
import type { SignInDeps } from '../../session-deps.js';
import { signUp } from './sign-up.js';

const account = { email: 'eka@example.com', password: 'long enough', name: 'Eka' };
const origin = { client: { ip: null, userAgent: null }, requestId: 'req_1' };

/** Signs up at a provider that creates the account, but does not sign the user in. Returns the error. */
function errorOf(signIn: { passwordLogin: () => Promise<Partial<Tokens>>; verify?: () => Promise<never> }) {
  const deps = { provider: { signUp: async () => undefined, ...signIn }, sealing: {} } as unknown as SignInDeps;
  return signUp(deps, { ...account, ...origin }).catch((error: unknown) => error);
}

test.each([
  [
    'UNAUTHENTICATED',
    'The account was created, but you cannot sign in yet. Confirm it as the identity provider requires, then sign in.',
  ],
  [
    'NOT_FOUND',
    'The account was created. The identity provider does not support password sign-in: sign in with a browser.',
  ],
  ['TOO_MANY_REQUESTS', 'The account was created, but the sign-in failed. Sign in later.'],
] as const)(
  'if the sign-in after a sign-up fails with %s, the error says that the account was created, and what to do',
  async (code, message) => {
    const refusal = fail(code, 'test', undefined, 30);
    const expected = { code, message, retryAfter: 30 };
    expect(await errorOf({ passwordLogin: () => Promise.reject(refusal) })).toMatchObject(expected);
    const withoutClaims = async () => ({ claims: null, accessToken: 'a' });
    expect(await errorOf({ passwordLogin: withoutClaims, verify: () => Promise.reject(refusal) })).toMatchObject(
      expected,
    );
  },
);

test('an unexpected error after a sign-up is rethrown', async () => {
  const unexpected = new TypeError('test');
  expect(await errorOf({ passwordLogin: () => Promise.reject(unexpected) })).toBe(unexpected);
});
