import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWK,
  type JWTPayload,
} from 'jose';

export const AUDIENCE = 'https://tautan.test/api/v1';
export const CLIENT = { id: 'tautan', secret: 'a client’s secret & more' };
export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

const newKey = (alg: string) => generateKeyPair(alg, { extractable: true });
/** Shared by all servers of a test file as their first key, because generating an RSA key is slow. */
let firstKey: Promise<GenerateKeyPairResult> | undefined;

interface Key {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

export interface TestPerson {
  sub: string;
  email: string;
  name: string;
  password: string;
}

/** A sign-in and the refresh tokens issued for it. */
interface TokenFamily {
  person: TestPerson;
  /** The only refresh token that is valid. */
  current: string;
  revoked: boolean;
}

type Query = Record<string, string>;
type Answer = { status?: number; body?: unknown; location?: string };

const json = (status: number, body: unknown): Answer => ({ status, body });
const refused = (error: string, status = 400): Answer => json(status, { error, error_description: `test: ${error}` });

/**
 * An OpenID provider over HTTP that enforces the rules this service relies on: refresh tokens rotate, and reusing one
 * revokes its family; authorization codes are single-use and require their PKCE verifier. It counts requests and can
 * simulate failures.
 */
export class OidcServer {
  url = '';
  /** Number of calls by path. */
  readonly calls: Record<string, number> = {};
  /** All issued access and refresh tokens. */
  readonly secrets: string[] = [];
  /** `down` closes connections, `slow` holds responses back until `release`, and `failing` responds with `failure`. */
  mode: 'up' | 'down' | 'slow' | 'failing' = 'up';
  /** Duration of each refresh, milliseconds. */
  refreshMs = 0;
  opaqueTokens = false;
  /** Whether the token endpoint responds with 401 and a challenge instead of 400. */
  challenges = false;
  /** Path prefix of the discovery document. */
  discoveryPrefix = '';
  /** Path of the keys. */
  keysPath = 'jwks';
  /** Overrides fields of token responses. */
  tokenOverrides: Record<string, unknown> = {};
  /** The response in the mode `failing`. */
  failure: { status: number; body?: object; retryAfter?: string } = { status: 503 };
  accessTokenSeconds = 3_600;
  /** Overrides claims of the access tokens, but not of the ID tokens, that the token endpoint issues. */
  accessTokenClaims: JWTPayload = {};
  givesRefreshTokens = true;
  readonly people: TestPerson[] = [];
  /** Email of the user who is signed in at the authorization endpoint; if it is empty, access is denied. */
  signedInEmail = '';
  /** Workspaces at the provider, by the subject of a user. The provider returns them from GET /api/v1/workspaces. */
  readonly workspaces = new Map<string, { id: string; name: string; role: string }[]>();
  /** Introspection responses for opaque tokens. */
  readonly opaque = new Map<string, Record<string, unknown>>();
  /** The OAuth error with which introspection responds, if set. */
  introspectionError: string | undefined;
  /** The OAuth error with which the token endpoint refuses every password, if set. */
  passwordError: string | undefined;
  readonly families = new Map<string, TokenFamily>();
  readonly #codes = new Map<string, { query: Query; person: TestPerson }>();
  readonly #refreshTokens = new Map<string, string>();
  #keys: Key[] = [];
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #held = new Set<() => void>();

  async start(): Promise<this> {
    await this.#useKey('RS256', await (firstKey ??= newKey('RS256')));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.release();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sends the responses that the mode `slow` holds back. */
  release(): void {
    for (const resume of this.#held) resume();
    this.#held.clear();
  }

  /** Returns the settings of a service that uses this provider. */
  settings(): Record<string, string> {
    return {
      IDENTITY_URL: this.url,
      IDENTITY_AUDIENCE: AUDIENCE,
      IDENTITY_CLIENT_ID: CLIENT.id,
      IDENTITY_CLIENT_SECRET: CLIENT.secret,
      IDENTITY_DEVICE_CLIENT_ID: 'tautan-cli',
      IDENTITY_SIGNUP_URL: `${this.url}/people`,
      IDENTITY_FORGOT_PASSWORD_URL: `${this.url}/forgot`,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
    };
  }

  addPerson(overrides: Partial<TestPerson> = {}): TestPerson {
    const sub = overrides.sub ?? randomUUID();
    const person = { sub, email: `${sub}@example.com`, name: 'Ayu', password: randomUUID(), ...overrides };
    this.people.push(person);
    return person;
  }

  /** Replaces all keys with a new one. */
  async rotate(alg = 'RS256'): Promise<void> {
    await this.#useKey(alg, await newKey(alg));
  }

  async #useKey(alg: string, { privateKey, publicKey }: GenerateKeyPairResult): Promise<void> {
    const kid = randomUUID();
    this.#keys = [{ kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }];
  }

  get publicKey(): JWK {
    return this.#keys[0]!.jwk;
  }

  /** Returns an access token signed with the current key; undefined claims are omitted. */
  async token(claims: JWTPayload = {}, header: Record<string, unknown> = {}): Promise<string> {
    const { privateKey, alg, kid } = this.#keys[0]!;
    const iat = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, aud: AUDIENCE, sub: 'ayu', iat, exp: iat + this.accessTokenSeconds, ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
  }

  tokenOf({ sub, email, name }: TestPerson, claims: JWTPayload = {}): Promise<string> {
    return this.token({ sub, email, email_verified: true, name, ...claims });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.url);
    const name = url.pathname.slice(1);
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    if (this.mode === 'down') return void request.socket.destroy();
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (this.mode === 'slow') {
      await new Promise<void>((resolve) => this.#held.add(resolve));
    }
    const answer =
      this.mode === 'failing'
        ? json(this.failure.status, this.failure.body ?? {})
        : await this.#answer(name, url, request, text);
    const challenged = this.challenges && name === 'token' && answer.status === 400;
    const { body, location } = answer;
    const status = challenged ? 401 : (answer.status ?? 200);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location && { location }),
      ...(this.mode === 'failing' &&
        this.failure.retryAfter !== undefined && { 'retry-after': this.failure.retryAfter }),
      ...(challenged && { 'www-authenticate': 'Basic realm="test"' }),
    });
    response.end(body === undefined ? '' : JSON.stringify(body));
  }

  async #answer(name: string, url: URL, request: IncomingMessage, text: string): Promise<Answer> {
    const query: Query = Object.fromEntries(url.searchParams);
    const form: Query = Object.fromEntries(new URLSearchParams(text));
    switch (name) {
      case `${this.discoveryPrefix}.well-known/openid-configuration`:
        return json(200, this.#metadata());
      case this.keysPath:
        return json(200, { keys: this.#keys.map(({ jwk }) => jwk) });
      case 'authorize':
        return this.#authorize(query);
      case 'token':
        return isOurClient(request) ? this.#token(form) : refused('invalid_client', 401);
      case 'introspect':
        if (!isOurClient(request)) return refused('invalid_client', 401);
        if (this.introspectionError) return refused(this.introspectionError);
        return json(200, this.opaque.get(form['token']!) ?? { active: false });
      case 'revoke':
        this.#revoke(form['token']!);
        return {};
      case 'userinfo':
        return this.#userinfo(request);
      case 'people':
        return this.#signUp(JSON.parse(text) as TestPerson);
      case 'forgot':
        return json(202, {});
      case 'api/v1/workspaces':
        return json(200, { data: this.workspaces.get(subjectOf(request)) ?? [] });
      default:
        return json(404, {});
    }
  }

  #metadata(): Record<string, unknown> {
    const at = (path: string): string => `${this.url}/${path}`;
    return {
      issuer: this.url,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: at(this.keysPath),
      introspection_endpoint: at('introspect'),
      revocation_endpoint: at('revoke'),
      userinfo_endpoint: at('userinfo'),
      device_authorization_endpoint: at('device'),
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  #authorize(query: Query): Answer {
    const back = new URL(query['redirect_uri']!);
    back.searchParams.set('state', query['state']!);
    const person = this.people.find(({ email }) => email === this.signedInEmail);
    const isValid = query['response_type'] === 'code' && query['code_challenge_method'] === 'S256' && query['nonce'];
    if (!isValid || query['client_id'] !== CLIENT.id) return json(400, { error: 'invalid_request' });
    if (!person) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.#codes.set(code, { query, person });
      back.searchParams.set('code', code);
    }
    return { status: 302, location: back.href };
  }

  async #token(form: Query): Promise<Answer> {
    if (form['grant_type'] === 'authorization_code') return this.#code(form);
    if (form['grant_type'] === 'refresh_token') return this.#refresh(form['refresh_token']!);
    if (form['grant_type'] !== 'password') return refused('unsupported_grant_type');
    if (this.passwordError) return refused(this.passwordError);
    const person = this.people.find(({ email }) => email === form['username']);
    if (!person || person.password !== form['password']) return refused('invalid_grant');
    return json(200, await this.#grant(person, randomUUID()));
  }

  async #code(form: Query): Promise<Answer> {
    const found = this.#codes.get(form['code']!);
    this.#codes.delete(form['code']!);
    const challenge = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const matches =
      found?.query['code_challenge'] === challenge && found.query['redirect_uri'] === form['redirect_uri'];
    if (!found || !matches) return refused('invalid_grant');
    return json(200, await this.#grant(found.person, randomUUID(), found.query['nonce']));
  }

  async #refresh(token: string): Promise<Answer> {
    const id = this.#refreshTokens.get(token);
    const family = id === undefined ? undefined : this.families.get(id);
    if (family && family.current !== token) family.revoked = true;
    if (this.refreshMs) await new Promise((resolve) => setTimeout(resolve, this.refreshMs));
    if (!family || family.revoked) return refused('invalid_grant');
    return json(200, await this.#grant(family.person, id!));
  }

  async #grant(person: TestPerson, familyId: string, nonce?: string): Promise<Record<string, unknown>> {
    const iat = Math.floor(Date.now() / 1000);
    const access = this.opaqueTokens
      ? randomBytes(24).toString('base64url')
      : await this.tokenOf(person, this.accessTokenClaims);
    if (this.opaqueTokens)
      this.opaque.set(access, { active: true, sub: person.sub, aud: AUDIENCE, exp: iat + this.accessTokenSeconds });
    const idToken = await this.tokenOf(person, { aud: CLIENT.id, iat, ...(nonce && { nonce }) });
    const refresh = randomBytes(24).toString('base64url');
    this.secrets.push(access, refresh);
    this.#refreshTokens.set(refresh, familyId);
    this.families.set(familyId, { person, current: refresh, revoked: false });
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: this.accessTokenSeconds,
      id_token: idToken,
      ...(this.givesRefreshTokens && { refresh_token: refresh }),
      ...this.tokenOverrides,
    };
  }

  #revoke(token: string): void {
    const family = this.families.get(this.#refreshTokens.get(token) ?? '');
    if (family) family.revoked = true;
  }

  #userinfo(request: IncomingMessage): Answer {
    const person = this.people.find(({ sub }) => sub === subjectOf(request));
    if (!person) return refused('invalid_token', 401);
    const { sub, email, name } = person;
    return json(200, { sub, email, email_verified: true, name });
  }

  #signUp({ email, password, name }: TestPerson): Answer {
    if (this.people.some((one) => one.email === email)) return json(409, { error: 'email_taken' });
    if (password.length < 8) return json(400, { error: 'weak_password', message: 'At least 8 characters.' });
    const { sub } = this.addPerson({ email, password, name });
    return json(201, { id: sub, email, name });
  }
}

/** Verifies the client credentials. Clients form-encode both parts before they join them (RFC 6749, 2.3.1). */
function isOurClient(request: IncomingMessage): boolean {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  const [id = '', secret = ''] = Buffer.from(value, 'base64').toString().split(':');
  const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
  return scheme === 'Basic' && decoded(id) === CLIENT.id && decoded(secret) === CLIENT.secret;
}

/** Returns the subject of a request's JWT, without verifying its signature. */
function subjectOf(request: IncomingMessage): string {
  const payload = request.headers.authorization?.split(' ')[1]?.split('.')[1] ?? '';
  try {
    return String((JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub?: string }).sub);
  } catch {
    return '';
  }
}

export const startOidc = (): Promise<OidcServer> => new OidcServer().start();
