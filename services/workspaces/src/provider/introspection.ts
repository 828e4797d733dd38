import { createHash } from 'node:crypto';
import { fail, maxEntries, type Fault, type Upstream } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { claimsOf, dateOf } from './claims.js';
import type { Discovery } from './discovery.js';
import type { VerifiedToken } from './identity-provider.js';
import { SKEW_SECONDS } from './jwt.js';
import { isRefusal } from './upstream.js';

const CACHE_TTL_MS = 60_000;
const REJECTION_CACHE_TTL_MS = 5_000;
const MAX_CACHED_TOKENS = 10_000;
/** Maximum number of concurrent introspections, so that invalid tokens do not overload the provider. */
const MAX_CONCURRENT = 32;
/** Syntax of bearer tokens (RFC 6750, 2.1). */
const bearerSyntax = /^[A-Za-z0-9._~+/-]+=*$/;

interface CachedResult {
  /** Null if the token is invalid. */
  token: VerifiedToken | null;
  /** When the cache entry expires, Unix milliseconds. */
  until: number;
}

export interface IntrospectionOptions {
  settings: IdentitySettings;
  discovery: Discovery;
  upstream: Upstream;
  now: () => number;
}

const invalidToken = (): Fault => fail('UNAUTHENTICATED', 'The access token is not valid.');

/** Introspects opaque tokens (RFC 7662), and caches the results by the SHA-256 of the token. */
export class Introspection {
  readonly #cache = new LRUCache<string, CachedResult>(maxEntries(MAX_CACHED_TOKENS));
  readonly #pending = new Map<string, Promise<CachedResult>>();

  constructor(private readonly options: IntrospectionOptions) {}

  /** Verifies a token. Rejects with TOKEN_EXPIRED, UNAUTHENTICATED, or UPSTREAM_UNAVAILABLE. */
  async verify(token: string): Promise<VerifiedToken> {
    if (!bearerSyntax.test(token)) throw invalidToken();
    const hash = createHash('sha256').update(token).digest('base64');
    const cached = this.#cache.get(hash);
    const result = cached && cached.until > this.options.now() ? cached : await this.#introspectOnce(token, hash);
    if (!result.token) throw invalidToken();
    if (result.token.expiresAt.getTime() + SKEW_SECONDS * 1000 <= this.options.now()) {
      throw fail('TOKEN_EXPIRED', 'The access token has expired. Refresh it.');
    }
    return result.token;
  }

  /** Introspects a token. Concurrent calls for the same token share one request. */
  #introspectOnce(token: string, hash: string): Promise<CachedResult> {
    const pending = this.#pending.get(hash);
    if (pending) return pending;
    if (this.#pending.size >= MAX_CONCURRENT) {
      return Promise.reject(
        fail('UPSTREAM_UNAVAILABLE', 'Too many tokens are being introspected. Try again in a moment.'),
      );
    }
    const introspection = this.#introspect(token)
      .then((verified) => {
        const ttlMs = verified ? CACHE_TTL_MS : REJECTION_CACHE_TTL_MS;
        const result = { token: verified, until: this.options.now() + ttlMs };
        this.#cache.set(hash, result);
        return result;
      })
      .finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, introspection);
    return introspection;
  }

  async #introspect(token: string): Promise<VerifiedToken | null> {
    const { discovery, upstream, settings, now } = this.options;
    const configuration = await discovery.configuration();
    const { introspection_endpoint: endpoint, issuer } = configuration.serverMetadata();
    if (!endpoint) return null;
    const response = await upstream.call('introspection', () =>
      oidc.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' }).catch(inactiveIfRefused),
    );
    if (!isForThisService(response, issuer, settings) || typeof response.sub !== 'string' || response.sub === '')
      return null;
    if (response.nbf !== undefined && response.nbf * 1000 > now() + SKEW_SECONDS * 1000) return null;
    const expiresAt = response.exp === undefined ? new Date(now() + CACHE_TTL_MS) : dateOf(response.exp);
    return { ...claimsOf(issuer, response, settings.claims), expiresAt };
  }
}

/** Errors that concern the client, not the token (RFC 6749, 5.2). */
const clientErrors = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Returns "inactive" for a token that the provider refuses to introspect, such as one that it cannot parse. Otherwise
 * rethrows.
 */
function inactiveIfRefused(error: unknown): oidc.IntrospectionResponse {
  const isRejected =
    error instanceof oidc.ResponseBodyError && isRefusal(error) && error.status < 500 && !clientErrors.has(error.error);
  if (isRejected) return { active: false };
  throw error;
}

/**
 * Returns whether a response is for an access token of this service. Without `aud`, which RFC 7662 makes optional, the
 * token must be a bearer token of one of our clients: `active` alone is not enough, because refresh tokens are active,
 * too.
 */
function isForThisService(response: oidc.IntrospectionResponse, issuer: string, settings: IdentitySettings): boolean {
  if (!response.active || (response.iss !== undefined && response.iss !== issuer)) return false;
  const type = response.token_type?.toLowerCase();
  if (type !== undefined && type !== 'bearer') return false;
  if (response.aud !== undefined) return [response.aud].flat().includes(settings.audience);
  const clients = [settings.clientId, settings.deviceClientId];
  return type === 'bearer' && response.client_id !== undefined && clients.includes(response.client_id);
}
