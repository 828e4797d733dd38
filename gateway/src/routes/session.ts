import { authConfigurationExample, authConfigurationRecord, sessionExample, sessionRecord } from '@tautan/proto';
import { sessionCookie, SESSION_COOKIE } from '../cookies.js';
import { route, type Route } from './route.js';
import { sessionView } from './session-view.js';

export const section = 'Signing in';

const getSession = route({
  id: 'getSession',
  method: 'GET',
  path: '/api/v1/auth/session',
  section,
  summary: 'Get the session',
  description: 'Returns the user or API key of the credential, and the active workspace.',
  request: {},
  success: {
    status: 200,
    description: 'The caller.',
    data: sessionRecord,
    example: sessionExample,
    headers: ['Set-Cookie'],
  },
  errors: [],
  handle: async (_request, { clients, rpc, caller, credential, browser }) => {
    const { kind, expiresAt } = caller!;
    if (kind === 'api_key') {
      const { name } = await clients.workspaces.call('GetWorkspace', {}, rpc());
      return { data: sessionView(caller!, name) };
    }
    const byCookie = browser.cookie(SESSION_COOKIE) === credential;
    return {
      data: sessionView(caller!),
      ...(byCookie && expiresAt && { cookies: [sessionCookie(credential, expiresAt)] }),
    };
  },
});

const getAuthConfiguration = route({
  id: 'getAuthConfiguration',
  method: 'GET',
  path: '/api/v1/auth/configuration',
  section,
  summary: 'Get the sign-in configuration',
  description: 'For clients that sign users in directly at the identity provider, such as command-line tools.',
  request: {},
  success: {
    status: 200,
    description: 'The configuration.',
    data: authConfigurationRecord,
    example: authConfigurationExample,
  },
  errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async (_request, { clients, rpc }) => {
    const configuration = await clients.identity.call('GetConfiguration', {}, rpc());
    return { data: { ...configuration, deviceClientId: configuration.deviceClientId || null } };
  },
});

export const sessionRoutes: Route[] = [getSession, getAuthConfiguration];
