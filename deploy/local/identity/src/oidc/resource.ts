import type { ResourceServer } from 'oidc-provider';

export const scopes = ['openid', 'profile', 'email', 'offline_access'];

/**
 * Resource indicator of grants, independent of the URL of the API, so that refresh tokens remain valid when the stack
 * starts with another URL.
 */
export const apiResource = 'urn:tautan:api';

export const ACCESS_TOKEN_SECONDS = 3_600;

/** Returns the API as a resource server (RFC 8707). Its access tokens are JWTs (RFC 9068) for this audience. */
export const resourceServer = (audience: string): ResourceServer => ({
  scope: scopes.join(' '),
  audience,
  accessTokenTTL: ACCESS_TOKEN_SECONDS,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'ES256' } },
});
