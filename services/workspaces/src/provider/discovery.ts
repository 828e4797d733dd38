import { fail, isFault, type Upstream } from '@tautan/kit';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { fetchProvider } from './http.js';
import { reasonOf } from './upstream.js';

/** How long a discovery document is relied on before it is read again, in the background. */
const RELIED_ON_MS = 3_600_000;
/** How long the answer to a refresh is waited for, whoever still listens: less than the lease on a session's refresh. */
const PATIENCE_MS = 8_000;
/** Where the document lies under the provider's address, in the order of looking. */
const PLACES = ['/.well-known/openid-configuration', '/api/v1/oidc/.well-known/openid-configuration'];

export interface DiscoveryOptions {
  settings: IdentitySettings;
  upstream: Upstream;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The provider's endpoints, and us as its client. */
export interface Known {
  usual: oidc.Configuration;
  /** For a call whose answer must not be lost when it comes late. */
  patient: oidc.Configuration;
}

/** Knowledge of the provider (OpenID Connect Discovery 1.0): read when it is first needed, tried again until it is there. */
export class Discovery {
  #found: Known | undefined;
  #lookedAt = 0;
  #looking: Promise<Known> | undefined;

  constructor(private readonly options: DiscoveryOptions) {}

  /** Rejects with UPSTREAM_UNAVAILABLE while the provider was never reached. */
  async configuration(): Promise<oidc.Configuration> {
    return (await this.known()).usual;
  }

  /** Returns why the provider cannot be used, or undefined once its discovery document was read. Never rejects. */
  async problem(): Promise<string | undefined> {
    try {
      // Not through the circuit breaker: see `known`.
      this.#found ??= await discover(this.options.settings);
      this.#lookedAt ||= this.options.now();
      return undefined;
    } catch (error) {
      return isFault(error) ? error.message : reasonOf(error);
    }
  }

  /** As `configuration`, with its patient twin. */
  async known(): Promise<Known> {
    const { upstream, settings, now } = this.options;
    if (!this.#found) return this.#look(() => upstream.call('discovery', () => discover(settings)));
    // Not through the circuit breaker, whose one trial belongs to whoever waits; the old document serves if it fails.
    if (now() - this.#lookedAt > RELIED_ON_MS) this.#look(() => discover(settings)).catch(() => {});
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

async function discover(settings: IdentitySettings): Promise<Known> {
  for (const place of PLACES) {
    try {
      return await discoverAt(new URL(settings.url + place), settings);
    } catch (error) {
      // Another status than 200, or no JSON: the provider is there, the document is not.
      const { code } = error as { code?: string };
      if (code !== 'OAUTH_RESPONSE_IS_NOT_CONFORM' && code !== 'OAUTH_RESPONSE_IS_NOT_JSON') throw error;
    }
  }
  throw fail('UPSTREAM_UNAVAILABLE', `There is no discovery document under ${settings.url}.`);
}

async function discoverAt(url: URL, settings: IdentitySettings): Promise<Known> {
  const insecure = url.protocol === 'http:';
  const found = await oidc.discovery(url, settings.clientId, {}, oidc.None(), {
    [oidc.customFetch]: fetchWithin(settings.timeoutMs),
    execute: insecure ? [oidc.allowInsecureRequests] : [],
  });
  const server = {
    ...(found.serverMetadata() as oidc.ServerMetadata),
    ...(settings.issuer && { issuer: settings.issuer }),
  };
  const client = { [oidc.clockTolerance]: 30 };
  const configurationWithin = (timeoutMs: number): oidc.Configuration => {
    const configuration = new oidc.Configuration(server, settings.clientId, client, authentication(settings));
    configuration[oidc.customFetch] = fetchWithin(timeoutMs);
    if (insecure) oidc.allowInsecureRequests(configuration);
    return configuration;
  };
  return { usual: configurationWithin(settings.timeoutMs), patient: configurationWithin(PATIENCE_MS) };
}

const fetchWithin =
  (timeoutMs: number): oidc.CustomFetch =>
  (address, options) =>
    fetchProvider(address, { ...options, signal: AbortSignal.timeout(timeoutMs) });

function authentication({ clientSecret, clientAuth }: IdentitySettings): oidc.ClientAuth {
  if (!clientSecret) return oidc.None();
  return clientAuth === 'post' ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret);
}
