import { fail, isFault, type Upstream } from '@tautan/kit';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { fetchProvider } from './http.js';
import { reasonOf } from './upstream.js';

/** Maximum age of a discovery document before it is reloaded in the background. */
const MAX_AGE_MS = 3_600_000;
/** Timeout of a token refresh, which continues even if the requests that wait for it time out. */
const REFRESH_TIMEOUT_MS = 8_000;
/** Paths of the discovery document below the provider's URL, in the order in which they are tried. */
const DISCOVERY_PATHS = ['/.well-known/openid-configuration', '/api/v1/oidc/.well-known/openid-configuration'];

export interface DiscoveryOptions {
  settings: IdentitySettings;
  upstream: Upstream;
  /** Unix milliseconds. */
  now: () => number;
}

/** The provider's endpoints, with this service as client. */
export interface Configurations {
  standard: oidc.Configuration;
  /** With a longer timeout, for calls whose response must not be lost if it is late. */
  longTimeout: oidc.Configuration;
}

/**
 * The provider's discovery document (OpenID Connect Discovery 1.0), read at first use. If reading it fails, the next
 * use reads it again.
 */
export class Discovery {
  #found: Configurations | undefined;
  #attemptedAt = 0;
  #loading: Promise<Configurations> | undefined;

  constructor(private readonly options: DiscoveryOptions) {}

  /** Rejects with UPSTREAM_UNAVAILABLE if the discovery document was never read before and cannot be read now. */
  async configuration(): Promise<oidc.Configuration> {
    return (await this.configurations()).standard;
  }

  /** Returns why the provider is not usable, or undefined once its discovery document was read. Never rejects. */
  async problem(): Promise<string | undefined> {
    try {
      // Bypasses the circuit breaker: see `configurations`.
      this.#found ??= await discover(this.options);
      this.#attemptedAt ||= this.options.now();
      return undefined;
    } catch (error) {
      return isFault(error) ? error.message : reasonOf(error);
    }
  }

  /** Returns the configurations for both timeouts. Rejects as `configuration` does. */
  async configurations(): Promise<Configurations> {
    const { upstream, now } = this.options;
    if (!this.#found) return this.#load(() => upstream.call('discovery', () => discover(this.options)));
    // Bypasses the circuit breaker. When open, the breaker lets through only an occasional call, as a probe. A reload
    // must not take the place of a call whose result is needed now. If the reload fails, the old document remains in
    // use.
    if (now() - this.#attemptedAt > MAX_AGE_MS) this.#load(() => discover(this.options)).catch(() => {});
    return this.#found;
  }

  #load(read: () => Promise<Configurations>): Promise<Configurations> {
    this.#attemptedAt = this.options.now();
    this.#loading ??= read()
      .then((loaded) => (this.#found = loaded))
      .finally(() => (this.#loading = undefined));
    return this.#loading;
  }
}

async function discover(options: Pick<DiscoveryOptions, 'settings' | 'upstream'>): Promise<Configurations> {
  for (const path of DISCOVERY_PATHS) {
    try {
      return await discoverAt(new URL(options.settings.url + path), options);
    } catch (error) {
      // A status other than 200, or no JSON: the provider is reachable, but the document is not at this path.
      const { code } = error as { code?: string };
      if (code !== 'OAUTH_RESPONSE_IS_NOT_CONFORM' && code !== 'OAUTH_RESPONSE_IS_NOT_JSON') throw error;
    }
  }
  throw fail('UPSTREAM_UNAVAILABLE', `No discovery document found under ${options.settings.url}.`);
}

async function discoverAt(
  url: URL,
  { settings, upstream }: Pick<DiscoveryOptions, 'settings' | 'upstream'>,
): Promise<Configurations> {
  const insecure = url.protocol === 'http:';
  const found = await oidc.discovery(url, settings.clientId, {}, oidc.None(), {
    [oidc.customFetch]: fetchWithin(upstream, settings.timeoutMs),
    execute: insecure ? [oidc.allowInsecureRequests] : [],
  });
  const server = {
    ...(found.serverMetadata() as oidc.ServerMetadata),
    ...(settings.issuer && { issuer: settings.issuer }),
  };
  const client = { [oidc.clockTolerance]: 30 };
  const configurationWithin = (timeoutMs: number): oidc.Configuration => {
    const configuration = new oidc.Configuration(server, settings.clientId, client, authentication(settings));
    configuration[oidc.customFetch] = fetchWithin(upstream, timeoutMs);
    if (insecure) oidc.allowInsecureRequests(configuration);
    return configuration;
  };
  return {
    standard: configurationWithin(settings.timeoutMs),
    longTimeout: configurationWithin(REFRESH_TIMEOUT_MS),
  };
}

const fetchWithin =
  (upstream: Upstream, timeoutMs: number): oidc.CustomFetch =>
  (address, options) =>
    fetchProvider(upstream, address, { ...options, signal: AbortSignal.timeout(timeoutMs) });

function authentication({ clientSecret, clientAuth }: IdentitySettings): oidc.ClientAuth {
  if (!clientSecret) return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}
