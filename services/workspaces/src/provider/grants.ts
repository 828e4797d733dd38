import { fail, type Fault, type Upstream } from '@tautan/kit';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { claimsOf, dateOf } from './claims.js';
import type { Configurations, Discovery } from './discovery.js';
import type { IdentityProvider, LoginAttempt, Tokens } from './identity-provider.js';
import { isRefusal, oauthErrorOf } from './upstream.js';

/** Assumed lifetime in seconds of an access token whose response has no `expires_in` (optional in RFC 6749, 5.1). */
const DEFAULT_LIFETIME_SECONDS = 300;

export interface GrantOptions {
  settings: IdentitySettings;
  discovery: Discovery;
  upstream: Upstream;
  now: () => number;
}

type Response = Awaited<ReturnType<typeof oidc.genericGrantRequest>>;
type Grants = Pick<
  IdentityProvider,
  'beginLogin' | 'finishLogin' | 'passwordLogin' | 'refresh' | 'revoke' | 'profile' | 'configuration'
>;

/** Creates the calls to the provider's OAuth 2.0 and OpenID Connect endpoints. */
export function grants({ settings, discovery, upstream, now }: GrantOptions): Grants {
  const { scope, audience } = settings;

  const tokensOf = (response: Response, issuer: string): Tokens => {
    const claims = response.claims();
    const seconds = response.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    return {
      accessToken: response.access_token,
      refreshToken: response.refresh_token ?? null,
      expiresAt: dateOf(now() / 1000 + seconds),
      claims: claims ? claimsOf(issuer, claims, settings.claims) : null,
    };
  };

  /**
   * Requests tokens at the token endpoint. `explain` returns the fault for a refusal, or undefined. Without a fault, a
   * rate limit becomes TOO_MANY_REQUESTS, and any other error UPSTREAM_UNAVAILABLE.
   */
  const grant = async (
    what: string,
    work: (configurations: Configurations) => Promise<Response>,
    explain: (oauthError: string | undefined, error: unknown) => Fault | undefined,
  ): Promise<Tokens> => {
    const configurations = await discovery.configurations();
    return upstream.call(what, async () => {
      try {
        return tokensOf(await work(configurations), configurations.standard.serverMetadata().issuer);
      } catch (error) {
        throw explain(await oauthErrorOf(error), error) ?? rateLimitFault(error) ?? error;
      }
    });
  };

  return {
    beginLogin: async (redirectUri) => {
      const configuration = await discovery.configuration();
      if (!configuration.serverMetadata().authorization_endpoint) {
        throw fail('NOT_FOUND', 'The identity provider does not support browser sign-in.');
      }
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
        redirectUri,
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        // Auth0 issues access tokens only for an API named here; other providers ignore the parameter (RFC 6749, 3.1).
        audience,
      });
      return { attempt, authorizationUrl: url.href };
    },

    finishLogin: (attempt, callbackUrl) =>
      grant(
        'code',
        ({ standard }) => oidc.authorizationCodeGrant(standard, callbackOf(attempt, callbackUrl), checks(attempt)),
        refusedCode,
      ),

    passwordLogin: (email, password) =>
      grant(
        'password',
        ({ standard }) =>
          oidc.genericGrantRequest(standard, 'password', { username: email, password, scope, audience }),
        refusedPassword,
      ),

    refresh: (refreshToken) =>
      grant(
        'refresh',
        ({ longTimeout: configuration }) => oidc.refreshTokenGrant(configuration, refreshToken),
        // Only this error means that the token is invalid; a wrong client secret, for example, must not end sessions.
        (oauthError) =>
          oauthError === 'invalid_grant' ? fail('UNAUTHENTICATED', 'The refresh token is no longer valid.') : undefined,
      ),

    revoke: async (refreshToken) => {
      const configuration = await discovery.configuration();
      // Without RFC 7009, the token remains valid until it expires.
      if (!configuration.serverMetadata().revocation_endpoint) return;
      await upstream.call('revocation', () =>
        oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }),
      );
    },

    profile: async (token, subject) => {
      const configuration = await discovery.configuration();
      const { userinfo_endpoint: endpoint, issuer } = configuration.serverMetadata();
      const emptyProfile = { email: '', emailVerified: false, name: '' };
      if (!endpoint) return emptyProfile;
      return upstream.call('userinfo', async () => {
        try {
          const answer = await oidc.fetchUserInfo(configuration, token, subject);
          const { email, emailVerified, name } = claimsOf(issuer, answer, settings.claims);
          return { email: email ?? '', emailVerified: emailVerified ?? false, name: name ?? '' };
        } catch (error) {
          // Some providers do not accept an API's access token at the UserInfo endpoint.
          if (isRefusal(error)) return emptyProfile;
          throw error;
        }
      });
    },

    configuration: async () => {
      const server = (await discovery.configuration()).serverMetadata();
      return {
        issuer: server.issuer,
        deviceAuthorizationEndpoint: server.device_authorization_endpoint ?? '',
        tokenEndpoint: server.token_endpoint ?? '',
        deviceClientId: settings.deviceClientId,
        scope,
        audience,
      };
    },
  };
}

const checks = ({ state, nonce, codeVerifier }: LoginAttempt): oidc.AuthorizationCodeGrantChecks => ({
  expectedState: state,
  expectedNonce: nonce,
  pkceCodeVerifier: codeVerifier,
  idTokenExpected: true,
});

/**
 * Returns the sign-in's redirect URI with the query of the callback URL. The library sends this URL, without the query,
 * to the provider, which requires exactly the redirect URI that the sign-in began with.
 */
function callbackOf({ redirectUri }: LoginAttempt, callbackUrl: string): URL {
  const url = new URL(redirectUri);
  url.search = new URL(callbackUrl, redirectUri).search;
  return url;
}

function refusedCode(oauthError: string | undefined, error: unknown): Fault | undefined {
  if (error instanceof oidc.AuthorizationResponseError || oauthError === 'invalid_grant') {
    return fail('UNAUTHENTICATED', `The identity provider rejected the sign-in (${oauthError}).`);
  }
  // State, nonce, `iss`, the callback or the ID token do not match this attempt.
  const isMismatch = error instanceof oidc.ClientError && !providerFailureCodes.includes(error.code ?? '');
  return isMismatch
    ? fail('UNAUTHENTICATED', "The identity provider's response does not belong to this sign-in.")
    : undefined;
}

/** The library's codes for failures of the provider; '' stands for an error without a code: an unreachable provider. */
const providerFailureCodes = [
  '',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

function refusedPassword(oauthError: string | undefined): Fault | undefined {
  if (oauthError === 'invalid_grant' || oauthError === 'access_denied') {
    return fail('UNAUTHENTICATED', 'Incorrect email or password.');
  }
  if (oauthError === 'unsupported_grant_type' || oauthError === 'unauthorized_client') {
    return fail('NOT_FOUND', 'The identity provider does not support password sign-in. Sign in with a browser.');
  }
  return undefined;
}

/** Returns the error for a rate limit of the provider, for example on sign-ins. */
function rateLimitFault(error: unknown): Fault | undefined {
  const limited = error instanceof oidc.ResponseBodyError && error.status === 429;
  return limited
    ? fail('TOO_MANY_REQUESTS', 'Too many attempts. The identity provider requires a pause before the next one.')
    : undefined;
}
