import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * An identity provider with the device flow (RFC 8628) and refresh token rotation. The reuse of a refresh token
 * revokes all refresh tokens of the same sign-in. The service accepts only access tokens for the audience of the
 * configuration.
 */
export interface IdentityProvider {
  configuration: { audience?: string };
  /**
   * Outcomes of the next device polls: an OAuth error code, `429`, `502`, `504` (with a Retry-After header), `cut`
   * (closes the connection), or `stall` (sends no response). Later polls with a valid device code are granted.
   */
  polls: string[];
  /** Times of device polls (ms). */
  polledAt: number[];
  /** Lifetime of access tokens in seconds. */
  lifetimeS: number;
  /** Lifetime of ID tokens in seconds; a negative number simulates a client whose clock is ahead. */
  idTokenLifetimeS: number;
  /** Duration of a refresh (ms). */
  refreshMs: number;
  /** Errors with which the next refreshes are rejected. The rejected refresh tokens remain valid. */
  refreshErrors: { status: number; error: string }[];
  /** Seconds between polls. */
  intervalS: number;
  /** Number of granted refreshes. */
  refreshes: number;
  /** Number of refreshes with a token that had already been used. */
  replays: number;
  revoked: string[];
  /** Response of the standard discovery path. The document is always available below /api/v1/oidc. */
  standardDiscovery: 'document' | 'null';
  /** Called for each refresh before the response. */
  onRefresh: (() => void) | undefined;
  /** Expires every access token granted so far. */
  expireAll(): void;
  accessToken(token: string): 'valid' | 'expired' | 'unknown';
  handle(path: string, body: string, response: ServerResponse): Promise<void>;
}

const SUBJECT = 'mira';

/** The refresh tokens of one sign-in. */
interface Family {
  audience: string | undefined;
  current: string;
  spent: Set<string>;
  revoked: boolean;
}

/** Returns an ID token (OpenID Connect Core, section 2) whose signature is not valid. */
function idTokenOf(issuer: string, lifetimeS: number): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer, aud: 'tautan-cli', sub: SUBJECT, iat: now + lifetimeS - 300, exp: now + lifetimeS };
  const encoded = [{ alg: 'RS256' }, claims, 'signature'].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return encoded.join('.');
}

export function identityProvider(issuer: string): IdentityProvider {
  /** Expiry times (ms) by access token. */
  const access = new Map<string, number>();
  const families: Family[] = [];
  /** The requested audience by device code. */
  const codes = new Map<string, string | undefined>();
  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const grant = (response: ServerResponse, family: Family) => {
    const token = `access-${randomUUID()}`;
    if (family.audience === provider.configuration.audience) access.set(token, Date.now() + provider.lifetimeS * 1_000);
    const body = { access_token: token, token_type: 'Bearer', expires_in: provider.lifetimeS };
    const idToken = idTokenOf(issuer, provider.idTokenLifetimeS);
    send(response, 200, {
      ...body,
      id_token: idToken,
      refresh_token: family.current,
      scope: 'openid offline_access',
    });
  };

  function poll(form: URLSearchParams, response: ServerResponse): void {
    provider.polledAt.push(Date.now());
    const outcome = provider.polls.shift();
    if (outcome === 'cut') response.destroy();
    else if (outcome === 'stall') return;
    else if (outcome === '504') response.writeHead(504, { 'retry-after': '6' }).end('Gateway Timeout');
    else if (outcome === '429') send(response, 429, { error: 'too_many_requests' });
    else if (outcome === '502') response.writeHead(502).end('Bad Gateway');
    else if (outcome) send(response, 400, { error: outcome });
    else if (!codes.has(form.get('device_code')!)) send(response, 400, { error: 'invalid_grant' });
    else {
      const audience = codes.get(form.get('device_code')!);
      codes.delete(form.get('device_code')!);
      const family = { audience, current: `refresh-${randomUUID()}`, spent: new Set<string>(), revoked: false };
      families.push(family);
      grant(response, family);
    }
  }

  async function refresh(form: URLSearchParams, response: ServerResponse): Promise<void> {
    provider.onRefresh?.();
    await new Promise((resolve) => setTimeout(resolve, provider.refreshMs));
    // A client that was killed in the meantime receives nothing.
    if (response.destroyed) return;
    const rejection = provider.refreshErrors.shift();
    if (rejection) return void send(response, rejection.status, { error: rejection.error });
    const token = form.get('refresh_token')!;
    const family = families.find(({ current, spent }) => current === token || spent.has(token));
    if (family?.spent.has(token)) {
      provider.replays++;
      family.revoked = true;
    }
    if (!family || family.revoked) return void send(response, 400, { error: 'invalid_grant' });
    family.spent.add(token);
    family.current = `refresh-${randomUUID()}`;
    provider.refreshes++;
    grant(response, family);
  }

  function revoke(form: URLSearchParams, response: ServerResponse): void {
    const token = form.get('token')!;
    provider.revoked.push(token);
    for (const family of families) family.revoked ||= family.current === token;
    response.writeHead(200).end();
  }

  const provider: IdentityProvider = {
    configuration: {
      issuer,
      deviceAuthorizationEndpoint: `${issuer}/device`,
      tokenEndpoint: `${issuer}/token`,
      deviceClientId: 'tautan-cli',
      scope: 'openid profile email offline_access',
      audience: 'https://go.example.com/api/v1',
    } as IdentityProvider['configuration'],
    polls: [],
    polledAt: [],
    lifetimeS: 3_600,
    idTokenLifetimeS: 300,
    refreshMs: 0,
    refreshErrors: [],
    intervalS: 0.2,
    refreshes: 0,
    replays: 0,
    revoked: [],
    standardDiscovery: 'document',
    onRefresh: undefined,
    expireAll: () => [...access.keys()].forEach((token) => access.set(token, 0)),
    accessToken: (token) => {
      const end = access.get(token);
      return end === undefined ? 'unknown' : end > Date.now() ? 'valid' : 'expired';
    },
    handle: async (path, body, response) => {
      const form = new URLSearchParams(body);
      if (path === '/.well-known/openid-configuration' && provider.standardDiscovery === 'null')
        return void response.end('null');
      if (path.endsWith('/.well-known/openid-configuration'))
        return void send(response, 200, { issuer, revocation_endpoint: `${issuer}/revoke` });
      if (form.get('client_id') !== 'tautan-cli') return void send(response, 401, { error: 'invalid_client' });
      if (path === '/revoke') return revoke(form, response);
      if (path === '/token')
        return form.get('grant_type') === 'refresh_token' ? refresh(form, response) : poll(form, response);
      const code = randomUUID();
      codes.set(code, form.get('audience') ?? undefined);
      send(response, 200, {
        device_code: code,
        user_code: 'WDJB-MJHT',
        verification_uri: `${issuer}/activate`,
        verification_uri_complete: `${issuer}/activate?code=WDJB-MJHT`,
        expires_in: 60,
        interval: provider.intervalS,
      });
    },
  };
  return provider;
}
