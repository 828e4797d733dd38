import { fail, type Log, type Registry } from '@tautan/kit';
import { Breaker } from '@tautan/kit/rpc';
import type { IdentitySettings } from '../config.js';
import { httpDirectory } from './directory.js';
import { Discovery } from './discovery.js';
import { grants } from './grants.js';
import type { IdentityProvider } from './identity-provider.js';
import { Introspection } from './introspection.js';
import { hasJwtForm, verifyJwt } from './jwt.js';
import { KeySet } from './key-set.js';
import { signUps } from './sign-up.js';
import { identityUpstream } from './upstream.js';

/** Maximum length of access tokens, bytes. */
const MAX_TOKEN_BYTES = 8_192;
/** Consecutive failures that open the circuit breaker, and its cool-down, milliseconds. */
const BREAKER = { threshold: 5, coolDownMs: 5_000 };

export interface ProviderOptions {
  settings: IdentitySettings;
  log: Log;
  registry: Registry;
  now: () => Date;
}

/** Creates the HTTP adapter of the identity provider. Sends no request until a call needs one. */
export function httpProvider({ settings, log, registry, now }: ProviderOptions): IdentityProvider {
  const time = (): number => now().getTime();
  const breaker = new Breaker(BREAKER.threshold, BREAKER.coolDownMs, time);
  const { url: identityUrl, timeoutMs, audience, claims } = settings;
  const upstream = identityUpstream(breaker, log, registry);
  const shared = { settings, upstream, now: time };
  const discovery = new Discovery(shared);
  const introspection = new Introspection({ ...shared, discovery });
  const keys = new KeySet({
    upstream,
    timeoutMs,
    now: time,
    jwksUri: async () => {
      const { jwks_uri: uri } = (await discovery.configuration()).serverMetadata();
      if (!uri) throw fail('UPSTREAM_UNAVAILABLE', 'The identity provider does not publish signing keys.');
      return new URL(uri);
    },
  });

  return {
    ...grants({ ...shared, discovery }),
    ...signUps(shared),
    problem: () => discovery.problem(),
    directory: settings.workspaces === 'provider' ? httpDirectory({ identityUrl, timeoutMs, upstream }) : undefined,
    verify: async (token) => {
      if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) throw fail('UNAUTHENTICATED', 'The access token is too long.');
      if (!hasJwtForm(token)) return introspection.verify(token);
      const { issuer } = (await discovery.configuration()).serverMetadata();
      return verifyJwt(token, { keyFor: keys.keyFor, issuer, audience, claims, now: now() });
    },
  };
}
