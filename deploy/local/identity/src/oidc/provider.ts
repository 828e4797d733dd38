import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Log } from '@tautan/kit';
import type { Keys } from '../keys.js';
import { confirmDevice, deviceDone, enterCode } from '../pages/device.js';
import { askLogout, showError, showLoggedOut } from '../pages/messages.js';
import { clientAddressOf } from '../http/client-address.js';
import type { People } from '../people/people.js';
import type { State } from '@tautan/append-log';
import { accountOf, claimsOf } from './accounts.js';
import { StateAdapter } from './adapter.js';
import { clientMetadata, type Clients } from './clients.js';
import { limitDevicePolling } from './device-polling.js';
import { loadLibrary } from './library.js';
import { registerPasswordGrant } from './password-grant.js';
import { ACCESS_TOKEN_SECONDS, apiResource, resourceServer, scopes } from './resource.js';
import { StorageKeys } from './storage-keys.js';

export interface ProviderDeps {
  issuer: string;
  /** Audience (`aud`) of access tokens. */
  audience: string;
  clients: Clients;
  /** Poll interval of devices in seconds. */
  deviceInterval: number;
  /** Lifetime of device codes in seconds. */
  deviceCodeSeconds: number;
  keys: Keys;
  state: State;
  people: People;
  log: Log;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const base = '/api/v1/oidc';

/** Lifetime of browser sessions in seconds. */
export const SESSION_SECONDS = 14 * DAY;
/** Attributes of the provider's cookies. */
export const cookieAttributes = { httpOnly: true, sameSite: 'lax' } as const;

/** Creates the OpenID provider, which serves /api/v1/oidc/ and discovery. */
export async function createProvider(deps: ProviderDeps): Promise<Provider> {
  const { default: Library, errors } = await loadLibrary(deps.log);
  const adapterDeps = { state: deps.state, keys: new StorageKeys(deps.keys.cookies[0]!), errors };
  const provider = new Library(deps.issuer, {
    adapter: (model: string) => new StateAdapter(model, adapterDeps),
    ...configurationOf(deps),
    features: {
      ...featuresOf(deps),
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? apiResource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== apiResource && indicator !== deps.audience) throw new errors.InvalidTarget();
          return resourceServer(deps.audience);
        },
      },
    },
  });
  registerPasswordGrant({ provider, errors, people: deps.people, audience: deps.audience });
  takeUserCodeFromUrl(provider);
  limitDevicePolling(provider, deps.deviceInterval);
  provider.on('server_error', (_ctx, error) => deps.log.error({ err: error }, 'the provider failed'));
  return provider;
}

function configurationOf({ issuer, clients, keys, people, deviceCodeSeconds }: ProviderDeps): Configuration {
  // Browsers share cookies between all ports of localhost, so cookie names contain the port.
  const name = `tautan_identity_${new URL(issuer).port}`;
  return {
    clients: clientMetadata(clients),
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    clientAuthMethods: ['none'],
    clientBasedCORS: () => false,
    jwks: { keys: [keys.signing] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: ['ES256'] },
    cookies: {
      keys: keys.cookies,
      names: { session: `${name}_session`, interaction: `${name}_interaction`, resume: `${name}_resume` },
      long: cookieAttributes,
      short: cookieAttributes,
    },
    scopes,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    routes: {
      authorization: `${base}/authorize`,
      code_verification: `${base}/device`,
      device_authorization: `${base}/device/authorize`,
      end_session: `${base}/end-session`,
      introspection: `${base}/introspect`,
      jwks: `${base}/jwks`,
      revocation: `${base}/revoke`,
      token: `${base}/token`,
      userinfo: `${base}/userinfo`,
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: MINUTE,
      DeviceCode: deviceCodeSeconds,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 31 * DAY,
      Session: SESSION_SECONDS,
      Grant: 365 * DAY,
    },
    findAccount: (_ctx, id) => {
      const person = people.withId(id);
      return person && accountOf(person);
    },
    extraTokenClaims: (_ctx, token) => {
      const person = 'accountId' in token && people.withId(token.accountId);
      if (!person) return undefined;
      const { email, email_verified, name } = claimsOf(person);
      return { email, email_verified, name };
    },
    // Both clients are part of the product, so all requested scopes are granted without asking for consent.
    loadExistingGrant: newGrant,
    // A browser sign-in gets a refresh token even without the scope offline_access.
    issueRefreshToken: (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') &&
      (source.kind === 'AuthorizationCode' || source.scopes.has('offline_access')),
    expiresWithSession: () => false,
    rotateRefreshToken: () => true,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    renderError: (ctx, out) => showError(ctx, out),
  };
}

const featuresOf = ({ people }: ProviderDeps): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: askLogout,
    postLogoutSuccessSource: showLoggedOut,
  },
  deviceFlow: {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: (ctx) => ({ ip: clientAddressOf(ctx.req), agent: ctx.get('user-agent').slice(0, 200) }),
    userCodeInputSource: (ctx, _form, _out, error) => enterCode(ctx, people, error),
    userCodeConfirmSource: (ctx, _form, client, info, userCode) =>
      confirmDevice(ctx, people, { client, info, userCode }),
    successSource: deviceDone,
  },
});

/**
 * Creates a separate grant for each sign-in, with all requested scopes, so that revoking one token family does not
 * affect others of the same browser.
 */
async function newGrant(ctx: KoaContextWithOIDC) {
  const { client, session, provider, params } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const scope = typeof params?.['scope'] === 'string' ? params['scope'] : '';
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(scope);
  for (const resource of Object.keys(ctx.oidc.resourceServers ?? {})) grant.addResourceScope(resource, scope);
  await grant.save();
  return grant;
}

/**
 * Moves the user code from the query of the URL to `ctx.state`, where `enterCode` reads it. If the code stayed in the
 * query, oidc-provider would respond with a page whose script submits the code.
 */
function takeUserCodeFromUrl(provider: Provider): void {
  provider.use(async (ctx, next) => {
    if (ctx.method === 'GET' && ctx.path === `${base}/device`) {
      ctx.state['userCode'] = ctx.query['user_code'];
      ctx.query = {};
    }
    await next();
  });
}
