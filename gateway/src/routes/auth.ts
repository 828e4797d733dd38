import { fail } from '@tautan/kit';
import { sessionExample, sessionRecord } from '@tautan/proto';
import { z } from 'zod';
import { endedSessionCookie, SESSION_COOKIE } from '../cookies.js';
import { nonEmptyText, trimmedText } from './fields.js';
import { route, type Route } from './route.js';
import { sessionReply } from './session-view.js';
import { section } from './session.js';
import { IDENTITY_PROVIDER_TIMEOUT_MS } from './workspaces.js';

const email = nonEmptyText(254).meta({
  format: 'email',
  description: 'Email address.',
  examples: ['mira@example.com'],
});
const password = nonEmptyText(256).meta({
  format: 'password',
  description: 'Password. The identity provider determines the rules.',
  examples: ['correct horse battery staple'],
});
const name = trimmedText(100).meta({ description: 'Name.', examples: ['Mira'] });
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
const unavailable = ['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'] as const;
const common = { method: 'POST', section, limit: 'auth', timeoutMs: IDENTITY_PROVIDER_TIMEOUT_MS } as const;

export const authRoutes: Route[] = [
  route({
    ...common,
    id: 'signUp',
    path: '/api/v1/auth/signup',
    summary: 'Sign up',
    description:
      'Creates a user at the identity provider and starts a session. The response sets the session cookie. If the provider does not support this operation, the response is `NOT_FOUND`. If the user was created but could not be signed in, for example because the user must first confirm the account with the provider (`UNAUTHENTICATED`), the error message says so.',
    request: { body: z.strictObject({ email, password, name }), bodyExample: { ...credentials, name: 'Mira' } },
    success: session('The session.', 201),
    errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', ...unavailable],
    handle: async ({ body }, { clients, rpc, browser: { client } }) =>
      sessionReply(await clients.sessions.call('SignUp', { ...body, client }, rpc())),
  }),
  route({
    ...common,
    id: 'logIn',
    path: '/api/v1/auth/login',
    summary: 'Log in',
    description: 'Starts a session with email and password. The response sets the session cookie.',
    request: { body: z.strictObject({ email, password }), bodyExample: credentials },
    success: session('The session.', 200),
    errors: ['VALIDATION_ERROR', 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', ...unavailable],
    handle: async ({ body }, { clients, rpc, browser: { client } }) =>
      sessionReply(await clients.sessions.call('PasswordLogin', { ...body, client }, rpc())),
  }),
  route({
    ...common,
    id: 'refreshSession',
    path: '/api/v1/auth/refresh',
    summary: 'Refresh the session',
    description: "Refreshes the session's tokens and extends the session. The response sets the cookie again.",
    request: {},
    success: session('The session.', 200),
    errors: ['UNAUTHENTICATED', 'FORBIDDEN', ...unavailable],
    handle: async (_request, { clients, rpc, browser, credentials }) => {
      const secret = browser.cookie(SESSION_COOKIE);
      if (secret === undefined) throw fail('UNAUTHENTICATED', 'There is no session to refresh. Log in first.');
      const session = await clients.sessions.call('RefreshSession', { secret }, rpc());
      credentials.evictBySecret(secret);
      return sessionReply(session);
    },
  }),
  route({
    ...common,
    id: 'logOut',
    path: '/api/v1/auth/logout',
    summary: 'Log out',
    description:
      'Ends the session of the cookie, in Tautan and at the identity provider. Without a session, nothing changes.',
    request: {},
    success: { ...done('loggedOut', 'The session ended.'), headers: ['Set-Cookie'] },
    errors: ['FORBIDDEN', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
    handle: async (_request, { clients, rpc, browser, credentials }) => {
      const secret = browser.cookie(SESSION_COOKIE);
      if (secret !== undefined) {
        await clients.sessions.call('EndSession', { secret, client: browser.client }, rpc());
        credentials.evictBySecret(secret);
      }
      return { data: { loggedOut: true }, cookies: [endedSessionCookie] };
    },
  }),
  route({
    ...common,
    id: 'forgotPassword',
    path: '/api/v1/auth/forgot-password',
    summary: 'Request a new password',
    description:
      'The identity provider sends an email if an account with this address exists. The response does not reveal whether one exists.',
    request: { body: z.strictObject({ email }), bodyExample: { email: 'mira@example.com' } },
    success: done('accepted', 'If there is an account with this address, an email was sent.'),
    errors: ['VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', ...unavailable],
    handle: async ({ body }, { clients, rpc }) => {
      await clients.sessions.call('ForgotPassword', body, rpc());
      return { data: { accepted: true } };
    },
  }),
];
