import { fail, isFault, type Upstream } from '@tautan/kit';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { fetchProvider } from './http.js';
import { reasonOf } from './upstream.js';

/** Maximum age of a discovery document before it is reloaded in the background. */
const MAX_AGE_MS = 3_600_000;
/** Timeout of a refresh, independent of the requests that wait for it. Shorter than the lease on a session's refresh. */
const REFRESH_TIMEOUT_MS = 8_000;
/** Paths of the discovery document below the provider's URL, in order. */
const DISCOVERY_PATHS = ['/.well-known/openid-configuration', '/api/v1/oidc/.well-known/openid-configuration'];

export interface DiscoveryOptions {
  settings: IdentitySettings;
  upstream: Upstream;
  /** Unix milliseconds. */
  now: () => number;
}

/** The provider's endpoints, with this service as client. */
export interface Known {
  usual: oidc.Configuration;
  /** For calls whose response must not be lost if it is late. */
  patient: oidc.Configuration;
}

/** The provider's discovery document (OpenID Connect Discovery 1.0), read at first use and retried until it succeeds. */
export class Discovery {
  #found: Known | undefined;
  #lookedAt = 0;
  #looking: Promise<Known> | undefined;

  constructor(private readonly options: DiscoveryOptions) {}

  /** Rejects with UPSTREAM_UNAVAILABLE while the provider has never been reached. */
  async configuration(): Promise<oidc.Configuration> {
    return (await this.known()).usual;
  }

  /** Returns why the provider is not usable, or undefined once its discovery document was read. Never rejects. */
  async problem(): Promise<string | undefined> {
    try {
      // Bypasses the circuit breaker: see `known`.
      this.#found ??= await discover(this.options);
      this.#lookedAt ||= this.options.now();
      return undefined;
    } catch (error) {
      return isFault(error) ? error.message : reasonOf(error);
    }
  }

  /** Returns the configurations for both timeouts. Rejects as `configuration` does. */
  async known(): Promise<Known> {
    const { upstream, now } = this.options;
    if (!this.#found) return this.#look(() => upstream.call('discovery', () => discover(this.options)));
    // Bypasses the circuit breaker, whose probe is reserved for callers; the old document remains in use on failure.
    if (now() - this.#lookedAt > MAX_AGE_MS) this.#look(() => discover(this.options)).catch(() => {});
    return this.#found;
  }

  #look(ask: () => Promise<Known>): Promise<Known> {
    this.#lookedAt = this.options.now();
    this.#looking ??= ask()
      .then((known) => (this.#found = known))
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }
}

async function discover(options: Pick<DiscoveryOptions, 'settings' | 'upstream'>): Promise<Known> {
  for (const place of DISCOVERY_PATHS) {
    try {
      return await discoverAt(new URL(options.settings.url + place), options);
    } catch (error) {
      // A status other than 200, or no JSON: the provider is reachable, but not the document.
      const { code } = error as { code?: string };
      if (code !== 'OAUTH_RESPONSE_IS_NOT_CONFORM' && code !== 'OAUTH_RESPONSE_IS_NOT_JSON') throw error;
    }
  }
  throw fail('UPSTREAM_UNAVAILABLE', `No discovery document found under ${options.settings.url}.`);
}

async function discoverAt(
  url: URL,
  { settings, upstream }: Pick<DiscoveryOptions, 'settings' | 'upstream'>,
): Promise<Known> {
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
  return { usual: configurationWithin(settings.timeoutMs), patient: configurationWithin(REFRESH_TIMEOUT_MS) };
}

const fetchWithin =
  (upstream: Upstream, timeoutMs: number): oidc.CustomFetch =>
  (address, options) =>
    fetchProvider(upstream, address, { ...options, signal: AbortSignal.timeout(timeoutMs) });

function authentication({ clientSecret, clientAuth }: IdentitySettings): oidc.ClientAuth {
  if (!clientSecret) return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}
