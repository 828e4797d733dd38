import type { ResourceServer } from 'oidc-provider';

export const scopes = ['openid', 'profile', 'email', 'offline_access'];

/**
 * What grants are for, whatever address the API has: so that a refresh token goes on working when the stack comes back at
 * another one.
 */
export const apiResource = 'urn:tautan:api';

export const ACCESS_TOKEN_SECONDS = 3_600;

/** The API as a resource server (RFC 8707): its access tokens are JWTs (RFC 9068) for this audience. */
export const resourceServer = (audience: string): ResourceServer => ({
  scope: scopes.join(' '),
  audience,
  accessTokenTTL: ACCESS_TOKEN_SECONDS,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
});
