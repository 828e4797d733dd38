import { createHash } from 'node:crypto';
import { fail, type Fault, type Upstream } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import type { IdentitySettings } from '../config.js';
import { claimsOf, momentOf } from './claims.js';
import type { Discovery } from './discovery.js';
import type { VerifiedToken } from './identity-provider.js';
import { SKEW_SECONDS } from './jwt.js';
import { isRefusal } from './upstream.js';

const REMEMBERED_MS = 60_000;
const REFUSAL_REMEMBERED_MS = 5_000;
const REMEMBERED_TOKENS = 10_000;
/** Questions under way at once: made-up tokens must not occupy the provider. */
const AT_ONCE = 32;
/** What a bearer token is made of (RFC 6750, 2.1). */
const bearerForm = /^[A-Za-z0-9._~+/-]+=*$/;

interface Answer {
  /** Null: the token is of no use. */
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

/** Asks the provider about opaque tokens (RFC 7662), and remembers its answers by the tokens' SHA-256. */
export class Introspection {
  readonly #answers = new LRUCache<string, Answer>({ max: REMEMBERED_TOKENS });
  readonly #asking = new Map<string, Promise<Answer>>();

  constructor(private readonly options: IntrospectionOptions) {}

  /** Rejects with TOKEN_EXPIRED, UNAUTHENTICATED, or UPSTREAM_UNAVAILABLE. */
  async verify(token: string): Promise<VerifiedToken> {
    if (!bearerForm.test(token)) throw refused();
    const hash = createHash('sha256').update(token).digest('base64');
    const known = this.#answers.get(hash);
    const answer = known && known.until > this.options.now() ? known : await this.#ask(token, hash);
    if (!answer.token) throw refused();
    if (answer.token.expiresAt.getTime() + SKEW_SECONDS * 1000 <= this.options.now()) {
      throw fail('TOKEN_EXPIRED', 'The access token has expired; refresh it.');
    }
    return answer.token;
  }

  #ask(token: string, hash: string): Promise<Answer> {
    const asked = this.#asking.get(hash);
    if (asked) return asked;
    if (this.#asking.size >= AT_ONCE) {
      return Promise.reject(
        fail('UPSTREAM_UNAVAILABLE', 'Too many tokens are being looked up; try again in a moment.'),
      );
    }
    const asking = this.#question(token)
      .then((verified) => {
        const keptMs = verified ? REMEMBERED_MS : REFUSAL_REMEMBERED_MS;
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
    const expiresAt = answer.exp === undefined ? new Date(now() + REMEMBERED_MS) : momentOf(answer.exp);
    return { ...claimsOf(issuer, answer, settings.claims), expiresAt };
  }
}

/** Errors about us (RFC 6749, 5.2), not about the token. */
const ownErrors = new Set(['invalid_client', 'unauthorized_client']);

/** Returns "not active" for a token that the provider refuses to look at, such as one that it cannot parse. Else throws. */
function inactiveIfRefused(error: unknown): oidc.IntrospectionResponse {
  const refused =
    error instanceof oidc.ResponseBodyError && isRefusal(error) && error.status < 500 && !ownErrors.has(error.error);
  if (refused) return { active: false };
  throw error;
}

/**
 * Whether an answer is about an access token for this service. Without `aud`, which RFC 7662 leaves out at will, it must be
 * one of our own clients', and called a bearer token: a refresh token is active too.
 */
function isOurs(answer: oidc.IntrospectionResponse, issuer: string, settings: IdentitySettings): boolean {
  if (!answer.active || (answer.iss !== undefined && answer.iss !== issuer)) return false;
  const type = answer.token_type?.toLowerCase();
  if (type !== undefined && type !== 'bearer') return false;
  if (answer.aud !== undefined) return [answer.aud].flat().includes(settings.audience);
  const clients = [settings.clientId, settings.deviceClientId];
  return type === 'bearer' && answer.client_id !== undefined && clients.includes(answer.client_id);
}
