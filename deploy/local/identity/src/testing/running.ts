import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@tautan/kit';
import { freePort } from '@tautan/kit/testing';
import * as client from 'openid-client';
import { fastCost } from '../people/passwords.js';
import { startIdentity, type IdentityOptions, type RunningIdentity } from '../start.js';

export const audience = 'http://localhost:8080/api/v1';
export const redirectUri = 'http://localhost:8080/api/v1/auth/callback';
export const scope = 'openid profile email offline_access';
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Returns options for tests: two clients, and cheap password hashing. */
export function options(port: number, dataDir: string): IdentityOptions {
  return {
    port,
    host: '127.0.0.1',
    dataDir,
    issuer: `http://localhost:${port}`,
    audience,
    clients: {
      dashboard: { id: 'tautan', redirectUris: [redirectUri], postLogoutUris: ['http://localhost:8080'] },
      device: { id: 'tautan-cli' },
    },
    log: createLog('identity', 'silent'),
    passwordCost: fastCost,
    deviceInterval: 1,
  };
}

export interface Provider {
  url: string;
  port: number;
  dataDir: string;
  createSignInLink(email: string): string;
  createAccount: RunningIdentity['createAccount'];
  /** Restarts the provider on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const started: Provider[] = [];

/** Stops all providers of this test file. */
export const stopProviders = async (): Promise<void> =>
  void (await Promise.all(started.splice(0).map((provider) => provider.stop())));

/** Starts a provider on a new folder, which is deleted when it stops. */
export async function startProvider(overrides: Partial<IdentityOptions> = {}): Promise<Provider> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tautan-identity-'));
  const port = await freePort();
  const start = (): Promise<RunningIdentity> => startIdentity({ ...options(port, dataDir), ...overrides });
  let running = await start();
  const provider: Provider = {
    url: running.url,
    port,
    dataDir,
    createSignInLink: (email) => running.createSignInLink(email),
    createAccount: (account) => running.createAccount(account),
    restart: async () => {
      await running.stop();
      running = await start();
    },
    stop: async () => {
      await running.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
  started.push(provider);
  return provider;
}

/** Returns the configuration of an OpenID Connect client, by default that of the web application. */
export const discoverClient = (url: string, clientId = 'tautan'): Promise<client.Configuration> =>
  client.discovery(new URL(url), clientId, undefined, client.None(), { execute: [client.allowInsecureRequests] });

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Sends the request `call`, such as `POST /api/v1/people`, with an access token and a JSON body if given. */
export async function api(url: string, call: string, { token, body }: { token?: string; body?: object } = {}) {
  const [method, path] = call.split(' ') as [string, string];
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Sends a form to the token endpoint. */
export async function tokenRequest(url: string, form: Record<string, string>): Promise<Answer & { headers: Headers }> {
  const response = await fetch(`${url}/api/v1/oidc/token`, { method: 'POST', body: new URLSearchParams(form) });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

export const refresh = (url: string, token: string, clientId = 'tautan'): Promise<Answer> =>
  tokenRequest(url, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
}

export const password = 'a long enough one';

/** Creates a user. Returns their id. */
export async function signUp(url: string, email: string, name = 'Ada Lovelace'): Promise<string> {
  const { status, body } = await api(url, 'POST /api/v1/people', { body: { email, password, name } });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body['id'] as string;
}

/** Returns the tokens of a user from the password grant. */
export async function tokensOf(url: string, email: string): Promise<Tokens> {
  const form = { grant_type: 'password', client_id: 'tautan', username: email, password, scope };
  const { body } = await tokenRequest(url, form);
  if (!body['access_token']) throw new Error(JSON.stringify(body));
  return body as unknown as Tokens;
}

/**
 * Returns the URL that starts a sign-in to the web application. The code challenge is the example of RFC 7636,
 * appendix B.
 */
export const authorizeUrl = (url: string): string =>
  `${url}/api/v1/oidc/authorize?${new URLSearchParams({
    client_id: 'tautan',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`;
