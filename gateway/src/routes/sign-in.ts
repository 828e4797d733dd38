import { fail } from '@tautan/kit';
import { z } from 'zod';
import { endedLoginCookie, loginCookie, LOGIN_COOKIE, sessionCookie } from '../cookies.js';
import { localPath } from '../site.js';
import { term } from './fields.js';
import { route, type Route } from './route.js';
import { section } from './session.js';
import { PROVIDER_MS } from './workspaces.js';

const DEFAULT_PATH = '/app';
const step = { method: 'GET', section, limit: 'auth', errorPage: 'sign-in', timeoutMs: PROVIDER_MS } as const;
const away = ['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'] as const;

const beginSignIn = route({
  ...step,
  id: 'beginSignIn',
  path: '/api/v1/auth/authorize',
  summary: 'Sign in by browser',
  description:
    'Leads the browser to the identity provider (authorization code with PKCE, state and nonce) and marks it by a short-lived cookie. An error is a page for whoever prefers HTML.',
  request: {
    ignoreUnknownQuery: true,
    query: z.object({
      returnTo: term(2_048)
        .default(DEFAULT_PATH)
        .meta({ description: 'Where to go afterwards: a path of this service.', examples: ['/app/links'] }),
    }),
  },
  success: { status: 302, description: 'To the identity provider.', headers: ['Location', 'Set-Cookie'] },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...away],
  handle: async ({ query }, { clients, rpc, browser: { callbackUrl } }) => {
    const returnTo = localPath(query.returnTo);
    if (returnTo === undefined) throw fail('VALIDATION_ERROR', 'returnTo must be a path of this service.', 'returnTo');
    const request = { returnTo, redirectUri: callbackUrl };
    const { authorizationUrl, browserSecret } = await clients.sessions.call('BeginLogin', request, rpc());
    return { redirect: new URL(authorizationUrl).href, cookies: [loginCookie(browserSecret)] };
  },
});

const given = (description: string, example: string) =>
  term(4_096)
    .optional()
    .meta({ description, examples: [example] });

const finishSignIn = route({
  ...step,
  id: 'finishSignIn',
  path: '/api/v1/auth/callback',
  summary: 'Come back from the identity provider',
  description:
    'Where the identity provider sends the browser: opens a session, whose cookie comes with the answer, and leads to where the sign-in was to end. An error is a page for whoever prefers HTML.',
  request: {
    ignoreUnknownQuery: true,
    query: z.object({
      code: given('The authorization code.', 'SplxlOBeZQQYbYS6WxSbIA'),
      state: given('What the sign-in was begun with.', 'af0ifjsldkj'),
      iss: given('The identity provider (RFC 9207).', 'https://identity.example.com'),
      error: given('Why there is no code (RFC 6749, 4.1.2.1).', 'access_denied'),
    }),
  },
  success: { status: 302, description: 'To where the sign-in was to end.', headers: ['Location', 'Set-Cookie'] },
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'NOT_FOUND', ...away],
  handle: async (_request, { clients, rpc, browser }) => {
    const browserSecret = browser.cookie(LOGIN_COOKIE);
    if (browserSecret === undefined) {
      throw fail('UNAUTHENTICATED', 'This sign-in was not begun in this browser, or it took more than ten minutes.');
    }
    const { callbackUrl, search, client } = browser;
    const request = { callbackUrl: callbackUrl + search, browserSecret, client };
    const { secret, expiresAt, returnTo } = await clients.sessions.call('FinishLogin', request, rpc());
    const cookies = [sessionCookie(secret, expiresAt), endedLoginCookie];
    return { redirect: localPath(returnTo) ?? DEFAULT_PATH, cookies };
  },
});

export const signInRoutes: Route[] = [beginSignIn, finishSignIn];
