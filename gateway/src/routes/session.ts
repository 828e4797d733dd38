import { z } from 'zod';
import { sessionCookie, SESSION_COOKIE } from '../cookies.js';
import { route, type Route } from './route.js';
import { sessionExample, sessionRecord, sessionView } from './session-view.js';

export const section = 'Signing in';

const getSession = route({
  id: 'getSession',
  method: 'GET',
  path: '/api/v1/auth/session',
  section,
  summary: 'Tell who I am',
  description: 'The person or API key that a credential speaks for, and the workspace that requests with it work in.',
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

const configuration = z
  .object({
    issuer: z.string().meta({ description: 'The identity provider.', examples: ['https://identity.example.com'] }),
    deviceAuthorizationEndpoint: z.string().meta({
      description: 'Where the device flow begins (RFC 8628).',
      examples: ['https://identity.example.com/api/v1/oidc/device/authorize'],
    }),
    tokenEndpoint: z.string().meta({
      description: 'Where codes and refresh tokens become access tokens.',
      examples: ['https://identity.example.com/api/v1/oidc/token'],
    }),
    deviceClientId: z
      .string()
      .nullable()
      .meta({ description: 'Public client for terminals; null when there is none.', examples: ['tautan-cli'] }),
    scope: z.string().meta({ description: 'Scope to ask for.', examples: ['openid profile email offline_access'] }),
  })
  .meta({ id: 'AuthConfiguration', description: 'What a client needs to sign a person in by itself.' });

const getAuthConfiguration = route({
  id: 'getAuthConfiguration',
  method: 'GET',
  path: '/api/v1/auth/configuration',
  section,
  summary: 'Get what signing in needs',
  description: 'For clients that sign a person in at the identity provider by themselves, such as terminals.',
  request: {},
  success: {
    status: 200,
    description: 'The configuration.',
    data: configuration,
    example: {
      issuer: 'https://identity.example.com',
      deviceAuthorizationEndpoint: 'https://identity.example.com/api/v1/oidc/device/authorize',
      tokenEndpoint: 'https://identity.example.com/api/v1/oidc/token',
      deviceClientId: 'tautan-cli',
      scope: 'openid profile email offline_access',
    },
  },
  errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'TIMEOUT'],
  handle: async (_request, { clients, rpc }) => {
    const { issuer, deviceAuthorizationEndpoint, tokenEndpoint, deviceClientId, scope } = await clients.identity.call(
      'GetConfiguration',
      {},
      rpc(),
    );
    return {
      data: { issuer, deviceAuthorizationEndpoint, tokenEndpoint, deviceClientId: deviceClientId || null, scope },
    };
  },
});

export const sessionRoutes: Route[] = [getSession, getAuthConfiguration];
