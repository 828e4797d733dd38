import { fail } from '@tautan/kit';
import { z } from 'zod';
import { endedSessionCookie, SESSION_COOKIE } from '../cookies.js';
import { term } from './fields.js';
import { route, type Route } from './route.js';
import { opened, sessionExample, sessionRecord } from './session-view.js';
import { section } from './session.js';
import { PROVIDER_MS } from './workspaces.js';

const email = term(254).meta({ format: 'email', description: 'Email address.', examples: ['mira@example.com'] });
const password = term(256).meta({
  format: 'password',
  description: 'Password; how strong it must be is for the identity provider to say.',
  examples: ['correct horse battery staple'],
});
const name = term(100).meta({ description: 'Name for people.', examples: ['Mira'] });
const credentials = { email: 'mira@example.com', password: 'correct horse battery staple' };

const session = (description: string, status: 200 | 201) => ({
  status,
  description,
  data: sessionRecord,
  example: sessionExample,
  headers: ['Set-Cookie' as const],
});
const done = (field: 'loggedOut' | 'accepted', description: string) => ({
  status: 200 as const,
  description,
  data: z.object({ [field]: z.literal(true).meta({ description: 'Always true.', examples: [true] }) }),
  example: { [field]: true },
});
const away = ['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'] as const;
const attempt = { method: 'POST', section, limit: 'auth', timeoutMs: PROVIDER_MS } as const;

export const authRoutes: Route[] = [
  route({
    ...attempt,
    id: 'signUp',
    path: '/api/v1/auth/signup',
    summary: 'Sign up',
    description:
      'Makes a person at the identity provider and opens a session, whose cookie comes with the answer. `NOT_FOUND` where the provider offers none of it, as for all operations to sign in.',
    request: { body: z.strictObject({ email, password, name }), bodyExample: { ...credentials, name: 'Mira' } },
    success: session('The session.', 201),
    errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', ...away],
    handle: async ({ body }, { clients, rpc, browser: { client } }) =>
      opened(await clients.sessions.call('SignUp', { ...body, client }, rpc())),
  }),
  route({
    ...attempt,
    id: 'logIn',
    path: '/api/v1/auth/login',
    summary: 'Log in',
    description: 'Opens a session by email and password; its cookie comes with the answer.',
    request: { body: z.strictObject({ email, password }), bodyExample: credentials },
    success: session('The session.', 200),
    errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', ...away],
    handle: async ({ body }, { clients, rpc, browser: { client } }) =>
      opened(await clients.sessions.call('PasswordLogin', { ...body, client }, rpc())),
  }),
  route({
    ...attempt,
    id: 'refreshSession',
    path: '/api/v1/auth/refresh',
    summary: 'Refresh the session',
    description: "Refreshes the tokens behind the session's cookie and prolongs it; the cookie comes anew.",
    request: {},
    success: session('The session.', 200),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', ...away],
    handle: async (_request, { clients, rpc, browser, credentials }) => {
      const secret = browser.cookie(SESSION_COOKIE);
      if (secret === undefined) throw fail('UNAUTHENTICATED', 'There is no session to refresh; log in.');
      const session = await clients.sessions.call('RefreshSession', { secret }, rpc());
      credentials.forget(secret);
      return opened(session);
    },
  }),
  route({
    ...attempt,
    id: 'logOut',
    path: '/api/v1/auth/logout',
    summary: 'Log out',
    description:
      'Ends the session of the cookie, here and at the identity provider. Without one there is nothing to do.',
    request: {},
    success: { ...done('loggedOut', 'There is no session any more.'), headers: ['Set-Cookie'] },
    errors: ['FORBIDDEN', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
    handle: async (_request, { clients, rpc, browser, credentials }) => {
      const secret = browser.cookie(SESSION_COOKIE);
      if (secret !== undefined) {
        await clients.sessions.call('EndSession', { secret, client: browser.client }, rpc());
        credentials.forget(secret);
      }
      return { data: { loggedOut: true }, cookies: [endedSessionCookie] };
    },
  }),
  route({
    ...attempt,
    id: 'forgotPassword',
    path: '/api/v1/auth/forgot-password',
    summary: 'Ask for a new password',
    description:
      'The identity provider sends a mail if it knows the address. The answer does not tell whether it does.',
    request: { body: z.strictObject({ email }), bodyExample: { email: 'mira@example.com' } },
    success: done('accepted', 'If there is such a person, a mail is on its way.'),
    errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', ...away],
    handle: async ({ body }, { clients, rpc }) => {
      await clients.sessions.call('ForgotPassword', body, rpc());
      return { data: { accepted: true } };
    },
  }),
];
