import { fail } from '@tautan/kit';
import { z } from 'zod';
import { endedLoginCookie, loginCookie, LOGIN_COOKIE, sessionCookie } from '../cookies.js';
import { localPath } from '../site.js';
import { nonEmptyText } from './fields.js';
import { route, type Route } from './route.js';
import { section } from './session.js';
import { IDENTITY_PROVIDER_TIMEOUT_MS } from './workspaces.js';

const DEFAULT_PATH = '/app';
const common = {
  method: 'GET',
  section,
  limit: 'auth',
  errorPage: 'sign-in',
  timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS,
} as const;
const unavailable = ['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'] as const;

const beginSignIn = route({
  ...common,
  id: 'beginSignIn',
  path: '/api/v1/auth/authorize',
  summary: 'Sign in with a browser',
  description:
    'Redirects the browser to the identity provider (authorization code with PKCE, state and nonce) and sets a short-lived cookie. Clients that prefer HTML get a page for errors.',
  request: {
    ignoreUnknownQuery: true,
    query: z.object({
      returnTo: nonEmptyText(2_048)
        .default(DEFAULT_PATH)
        .meta({ description: 'Path of this service to redirect to afterwards.', examples: ['/app/links'] }),
    }),
  },
  success: { status: 302, description: 'Redirects to the identity provider.', headers: ['Location', 'Set-Cookie'] },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...unavailable],
  handle: async ({ query }, { clients, rpc, browser: { callbackUrl } }) => {
    const returnTo = localPath(query.returnTo);
    if (returnTo === undefined) throw fail('VALIDATION_ERROR', 'returnTo must be a path of this service.', 'returnTo');
    const request = { returnTo, redirectUri: callbackUrl };
    const { authorizationUrl, browserSecret } = await clients.sessions.call('BeginLogin', request, rpc());
    return { redirect: new URL(authorizationUrl).href, cookies: [loginCookie(browserSecret)] };
  },
});

const callbackParameter = (description: string, example: string) =>
  nonEmptyText(4_096)
    .optional()
    .meta({ description, examples: [example] });

const finishSignIn = route({
  ...common,
  id: 'finishSignIn',
  path: '/api/v1/auth/callback',
  summary: 'Finish a browser sign-in',
  description:
    'The identity provider redirects the browser here. Starts a session, sets its cookie, and redirects to the `returnTo` of the sign-in. Clients that prefer HTML get a page for errors.',
  request: {
    ignoreUnknownQuery: true,
    query: z.object({
      code: callbackParameter('Authorization code.', 'SplxlOBeZQQYbYS6WxSbIA'),
      state: callbackParameter('State of the sign-in.', 'af0ifjsldkj'),
      iss: callbackParameter('Issuer URL of the identity provider (RFC 9207).', 'https://identity.example.com'),
      error: callbackParameter('Error of the identity provider (RFC 6749, section 4.1.2.1).', 'access_denied'),
    }),
  },
  success: {
    status: 302,
    description: 'Redirects to the `returnTo` of the sign-in.',
    headers: ['Location', 'Set-Cookie'],
  },
  errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'NOT_FOUND', ...unavailable],
  handle: async (_request, { clients, rpc, browser }) => {
    const browserSecret = browser.cookie(LOGIN_COOKIE);
    if (browserSecret === undefined) {
      throw fail('UNAUTHENTICATED', 'This sign-in was started in another browser, or more than ten minutes ago.');
    }
    const { callbackUrl, search, client } = browser;
    const request = { callbackUrl: callbackUrl + search, browserSecret, client };
    const { secret, expiresAt, returnTo } = await clients.sessions.call('FinishLogin', request, rpc());
    const cookies = [sessionCookie(secret, expiresAt), endedLoginCookie];
    return { redirect: localPath(returnTo) ?? DEFAULT_PATH, cookies };
  },
});

export const signInRoutes: Route[] = [beginSignIn, finishSignIn];
