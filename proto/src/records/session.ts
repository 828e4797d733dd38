import { z } from 'zod';
import { planNames } from '../plans.js';
import { choice, count, exampleId, flag, identifier, text, time } from './fields.js';
import { memberRoles, WORKSPACE_ID } from './workspace.js';

export const credentialTypes = ['session', 'token', 'api_key'] as const;

export const sessionRecord = z
  .object({
    user: z
      .object({
        id: identifier('usr', 'Id of the user.'),
        email: text('Email address.', 'mira@example.com'),
        name: text('Name.', 'Mira'),
      })
      .nullable()
      .meta({ description: 'The user; null for an API key.', examples: [null] }),
    workspace: z
      .object({
        id: identifier('ws', 'Id of the workspace.'),
        name: text('Name of the workspace.', 'Acme'),
        role: choice(memberRoles, "User's role in the workspace; null for an API key.", 'admin').nullable(),
        plan: choice(planNames, 'Current plan.', 'PRO'),
      })
      .nullable()
      .meta({ description: 'Active workspace; null for a user who belongs to none.', examples: [null] }),
    credential: z
      .object({
        type: choice(credentialTypes, 'Type of the credential.'),
        id: identifier('key', 'Id of the API key.').optional(),
        label: text('Label of the API key.', 'CI').optional(),
        expiresAt: time('Time at which the session or token expires.').optional(),
      })
      .meta({ description: 'Credential of the request.' }),
  })
  .meta({ id: 'Session', description: 'The caller and the active workspace.' });
export type SessionRecord = z.infer<typeof sessionRecord>;

export const sessionExample: SessionRecord = {
  user: { id: exampleId('usr'), email: 'mira@example.com', name: 'Mira' },
  workspace: { id: WORKSPACE_ID, name: 'Acme', role: 'admin', plan: 'PRO' },
  credential: { type: 'session', expiresAt: '2030-03-02T12:00:00.000Z' },
};

export const userSessionRecord = z
  .object({
    id: identifier('ses', 'Id of the session.'),
    current: flag('Whether the request was sent with this session.', true),
    ip: text('IP address of the sign-in; null if unknown.', '203.0.113.7').nullable(),
    userAgent: text('User agent of the sign-in; null if unknown.', 'Mozilla/5.0 (X11; Linux x86_64)').nullable(),
    createdAt: time('Time of the sign-in.'),
    lastSeenAt: time('Time of the last use, accurate to within an hour.'),
    expiresAt: time('Time at which the session expires unless it is used again.'),
  })
  .meta({ id: 'UserSession', description: 'A browser in which a user is signed in.' });
export type UserSessionRecord = z.infer<typeof userSessionRecord>;

export const SESSION_ID = exampleId('ses');

export const userSessionExample: UserSessionRecord = {
  id: SESSION_ID,
  current: true,
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  createdAt: '2030-01-31T12:00:00.000Z',
  lastSeenAt: '2030-01-31T12:00:00.000Z',
  expiresAt: '2030-03-02T12:00:00.000Z',
};

const ISSUER = 'https://identity.example.com';
const AUDIENCE = 'https://go.example.com/api/v1';

export const authConfigurationRecord = z
  .object({
    issuer: text('Issuer URL of the identity provider.', ISSUER),
    deviceAuthorizationEndpoint: text(
      'Device authorization endpoint (RFC 8628).',
      `${ISSUER}/api/v1/oidc/device/authorize`,
    ),
    tokenEndpoint: text('Token endpoint for codes and refresh tokens.', `${ISSUER}/api/v1/oidc/token`),
    deviceClientId: text(
      'Public client id for sign-in from a terminal; null if there is none.',
      'tautan-cli',
    ).nullable(),
    scope: text('Scope to request.', 'openid profile email offline_access'),
    audience: text('Audience to request access tokens for, in the parameter `audience`.', AUDIENCE),
  })
  .meta({ id: 'AuthConfiguration', description: 'Settings for clients that implement sign-in themselves.' });
export type AuthConfigurationRecord = z.infer<typeof authConfigurationRecord>;

export const authConfigurationExample: AuthConfigurationRecord = {
  issuer: ISSUER,
  deviceAuthorizationEndpoint: `${ISSUER}/api/v1/oidc/device/authorize`,
  tokenEndpoint: `${ISSUER}/api/v1/oidc/token`,
  deviceClientId: 'tautan-cli',
  scope: 'openid profile email offline_access',
  audience: AUDIENCE,
};

export const revokedSessionsRecord = z.object({
  count: count('Number of sessions that were revoked.', 2),
  deleted: z.literal(true).meta({ description: 'Always true.', examples: [true] }),
});
