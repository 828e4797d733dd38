import { createHash } from 'node:crypto';
import { fail, type Fault, type Upstream } from '@tautan/kit';
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
const bearerForm = /^[A-Za-z0-9._~+/-]+=*$/;

interface Answer {
  /** Null if the token is invalid. */
  token: VerifiedToken | null;
  until: number;
}

export interface IntrospectionOptions {
  settings: IdentitySettings;
  discovery: Discovery;
  upstream: Upstream;
  now: () => number;
}

const refused = (): Fault => fail('UNAUTHENTICATED', 'The access token is not valid.');

/** Introspects opaque tokens (RFC 7662), with a cache by their SHA-256. */
export class Introspection {
  readonly #answers = new LRUCache<string, Answer>({ max: MAX_CACHED_TOKENS });
  readonly #asking = new Map<string, Promise<Answer>>();

  constructor(private readonly options: IntrospectionOptions) {}

  /** Verifies a token. Rejects with TOKEN_EXPIRED, UNAUTHENTICATED, or UPSTREAM_UNAVAILABLE. */
  async verify(token: string): Promise<VerifiedToken> {
    if (!bearerForm.test(token)) throw refused();
    const hash = createHash('sha256').update(token).digest('base64');
    const known = this.#answers.get(hash);
    const answer = known && known.until > this.options.now() ? known : await this.#ask(token, hash);
    if (!answer.token) throw refused();
    if (answer.token.expiresAt.getTime() + SKEW_SECONDS * 1000 <= this.options.now()) {
      throw fail('TOKEN_EXPIRED', 'The access token has expired. Refresh it.');
    }
    return answer.token;
  }

  #ask(token: string, hash: string): Promise<Answer> {
    const asked = this.#asking.get(hash);
    if (asked) return asked;
    if (this.#asking.size >= MAX_CONCURRENT) {
      return Promise.reject(
        fail('UPSTREAM_UNAVAILABLE', 'Too many tokens are being introspected. Try again in a moment.'),
      );
    }
    const asking = this.#question(token)
      .then((verified) => {
        const keptMs = verified ? CACHE_TTL_MS : REJECTION_CACHE_TTL_MS;
        const answer = { token: verified, until: this.options.now() + keptMs };
        this.#answers.set(hash, answer);
        return answer;
      })
      .finally(() => this.#asking.delete(hash));
    this.#asking.set(hash, asking);
    return asking;
  }

  async #question(token: string): Promise<VerifiedToken | null> {
    const { discovery, upstream, settings, now } = this.options;
    const configuration = await discovery.configuration();
    const { introspection_endpoint: endpoint, issuer } = configuration.serverMetadata();
    if (!endpoint) return null;
    const answer = await upstream.call('introspection', () =>
      oidc.tokenIntrospection(configuration, token, { token_type_hint: 'access_token' }).catch(inactiveIfRefused),
    );
    if (!isOurs(answer, issuer, settings) || typeof answer.sub !== 'string' || answer.sub === '') return null;
    if (answer.nbf !== undefined && answer.nbf * 1000 > now() + SKEW_SECONDS * 1000) return null;
    const expiresAt = answer.exp === undefined ? new Date(now() + CACHE_TTL_MS) : dateOf(answer.exp);
    return { ...claimsOf(issuer, answer, settings.claims), expiresAt };
  }
}

/** Errors of the client (RFC 6749, 5.2), not of the token. */
const ownErrors = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Returns "inactive" for a token that the provider refuses to introspect, such as one that it cannot parse. Otherwise rethrows.
 */
function inactiveIfRefused(error: unknown): oidc.IntrospectionResponse {
  const refused =
    error instanceof oidc.ResponseBodyError && isRefusal(error) && error.status < 500 && !ownErrors.has(error.error);
  if (refused) return { active: false };
  throw error;
}

/**
 * Returns whether a response is for an access token of this service. Without `aud`, which RFC 7662 makes optional, the token
 * must be a bearer token of one of our clients, because refresh tokens are active, too.
 */
function isOurs(answer: oidc.IntrospectionResponse, issuer: string, settings: IdentitySettings): boolean {
  if (!answer.active || (answer.iss !== undefined && answer.iss !== issuer)) return false;
  const type = answer.token_type?.toLowerCase();
  if (type !== undefined && type !== 'bearer') return false;
  if (answer.aud !== undefined) return [answer.aud].flat().includes(settings.audience);
  const clients = [settings.clientId, settings.deviceClientId];
  return type === 'bearer' && answer.client_id !== undefined && clients.includes(answer.client_id);
}
