import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { Browser, type BrowserPage } from '../testing/browser.js';
import {
  api,
  audience,
  discoverClient,
  password,
  redirectUri,
  refresh,
  scope,
  signUp,
  startProvider,
  stopProviders,
  tokenRequest,
  tokensOf,
  type Provider,
} from '../testing/running.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
  await signUp(provider.url, 'ada@example.com');
});
afterAll(stopProviders);

interface SignIn {
  config: client.Configuration;
  verifier: string;
  browser: Browser;
  page: BrowserPage;
  state: string;
  nonce: string;
}

/** Starts a sign-in: opens the authorization URL in the browser. */
async function begin(browser = new Browser(provider.url), more: Record<string, string> = {}): Promise<SignIn> {
  const config = await discoverClient(provider.url);
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
  const parameters = {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  const page = await browser.open(client.buildAuthorizationUrl(config, parameters).href);
  return { config, verifier, browser, page, state, nonce };
}

/** Completes a sign-in: exchanges the code in the callback URL for tokens. */
const finish = ({ config, verifier, state, nonce }: SignIn, { url }: BrowserPage) =>
  client.authorizationCodeGrant(config, new URL(url), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });

async function signedIn(): Promise<{ begun: SignIn; back: BrowserPage }> {
  const begun = await begin();
  const back = await begun.browser.submit(begun.page, { email: 'ada@example.com', password });
  return { begun, back };
}

describe('discovery', () => {
  test('is the same at both paths and lists only supported features', async () => {
    const [one, other] = await Promise.all(
      ['', '/api/v1/oidc'].map(async (base) =>
        (await fetch(`${provider.url}${base}/.well-known/openid-configuration`)).json(),
      ),
    );
    expect(one).toEqual(other);
    expect(one).toMatchObject({
      issuer: provider.url,
      token_endpoint: `${provider.url}/api/v1/oidc/token`,
      device_authorization_endpoint: `${provider.url}/api/v1/oidc/device/authorize`,
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    });
    for (const name of ['jwks_uri', 'userinfo_endpoint', 'introspection_endpoint', 'revocation_endpoint'])
      expect((one as Record<string, string>)[name]).toContain('/api/v1/oidc/');
  });

  test('contains the issuer regardless of the Host header', async () => {
    const answer = await fetch(`http://127.0.0.1:${provider.port}/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({
      issuer: provider.url,
      jwks_uri: `${provider.url}/api/v1/oidc/jwks`,
    });
  });

  test('refers to a key set without private keys', async () => {
    const { keys } = (await (await fetch(`${provider.url}/api/v1/oidc/jwks`)).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' });
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('a sign-in in a browser', () => {
  test('returns from the form to the application with tokens', async () => {
    const { begun, back } = await signedIn();
    expect(back.url).toContain(redirectUri);
    const tokens = await finish(begun, back);
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({
      iss: provider.url,
      aud: audience,
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
    });
    expect(claims.exp! - claims.iat!).toBe(3_600);
    expect(tokens.claims()).toMatchObject({ sub: claims.sub, email: 'ada@example.com', name: 'Ada Lovelace' });
    expect(tokens.refresh_token).toBeDefined();
    expect(await client.fetchUserInfo(begun.config, tokens.access_token, claims.sub!)).toMatchObject({
      email: 'ada@example.com',
    });
  });

  test('does not prompt a signed-in user, unless the application requests it', async () => {
    const { begun } = await signedIn();
    const again = await begin(begun.browser);
    expect((await finish(again, again.page)).access_token).toBeDefined();
    expect((await begin(begun.browser, { prompt: 'login' })).page.text).toContain('<h1>Sign in</h1>');
  });

  test('responds identically to a wrong password and an unknown email address', async () => {
    const begun = await begin();
    const answers = [];
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const { status, text } = await begun.browser.submit(begun.page, { email, password: 'wrong wrong wrong' });
      answers.push({ status, text: text.replaceAll(email, '…') });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.status).toBe(401);
    expect(answers[0]!.text).toContain('aria-describedby="password-error"');
    const back = await begun.browser.submit(begun.page, { email: ' ADA@example.com ', password });
    expect(back.url).toContain(redirectUri);
  });

  test('offers a sign-up, which also returns to the application', async () => {
    const begun = await begin();
    const form = await begun.browser.open(`${begun.page.url}/sign-up`);
    const refused = await begun.browser.submit(form, { name: 'Eve <b>', email: 'eve@example.com', password: 'short' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Use at least 10 characters.');
    expect(refused.text).toContain('value="Eve &lt;b&gt;"');
    const back = await begun.browser.submit(form, { name: 'Eve', email: 'eve@example.com', password });
    expect(decodeJwt((await finish(begun, back)).access_token)).toMatchObject({ name: 'Eve' });
  });

  test('requires a code challenge and the matching verifier', async () => {
    const { page } = await begin(undefined, { code_challenge: '', code_challenge_method: '' });
    expect(page.url).toContain('error=invalid_request');
    const { begun, back } = await signedIn();
    await expect(finish({ ...begun, verifier: client.randomPKCECodeVerifier() }, back)).rejects.toThrow();
  });

  test('never redirects to an unregistered URL', async () => {
    const { page } = await begin(undefined, { redirect_uri: 'https://evil.example/callback' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('Something went wrong');
    expect(page.url).toContain(provider.url);
  });

  test('rejects forms from other sites, and forms without the cookie of the sign-in', async () => {
    const begun = await begin();
    const body = new URLSearchParams({ email: 'ada@example.com', password });
    const foreign = await begun.browser.open(begun.page.url, {
      method: 'POST',
      body,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
    const elsewhere = await new Browser(provider.url).open(begun.page.url, { method: 'POST', body });
    expect(elsewhere.text).toContain('This page has expired');
  });

  test('has pages that load no resources, run no scripts and cannot be framed', async () => {
    const { page } = await begin();
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const [, style] = /<style>([^]*)<\/style>/.exec(page.text)!;
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });
});

describe('codes and refresh tokens', () => {
  test('a refresh token rotates', async () => {
    const { refresh_token: first } = await tokensOf(provider.url, 'ada@example.com');
    const { body: second } = await refresh(provider.url, first);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope });
    expect(second['refresh_token']).not.toBe(first);
    const third = await refresh(provider.url, second['refresh_token'] as string);
    expect(decodeJwt(third.body['access_token'] as string)).toMatchObject({ aud: audience, email: 'ada@example.com' });
  });

  test('a reused refresh token revokes its whole family, and no other', async () => {
    const [family, other] = [
      await tokensOf(provider.url, 'ada@example.com'),
      await tokensOf(provider.url, 'ada@example.com'),
    ];
    const { body } = await refresh(provider.url, family.refresh_token);
    const replay = await refresh(provider.url, family.refresh_token);
    expect([replay.status, replay.body['error']]).toEqual([400, 'invalid_grant']);
    const successor = await refresh(provider.url, body['refresh_token'] as string);
    expect([successor.status, successor.body['error']]).toEqual([400, 'invalid_grant']);
    expect((await refresh(provider.url, other.refresh_token)).status).toBe(200);
  });

  test('concurrent uses of a refresh token revoke its family', async () => {
    const { refresh_token: token } = await tokensOf(provider.url, 'ada@example.com');
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(provider.url, token)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers.filter(({ status }) => status === 200))
      expect((await refresh(provider.url, body['refresh_token'] as string)).status).toBe(400);
  });

  test('an authorization code works once; a second use revokes its tokens', async () => {
    const { begun, back } = await signedIn();
    const tokens = await finish(begun, back);
    await expect(finish(begun, back)).rejects.toThrow();
    expect((await refresh(provider.url, tokens.refresh_token!)).status).toBe(400);
  });

  test('a refresh token is bound to its client', async () => {
    const { refresh_token: token } = await tokensOf(provider.url, 'ada@example.com');
    expect((await refresh(provider.url, token, 'tautan-cli')).status).toBe(400);
  });

  test('a refresh token can be revoked; introspection then reports it as inactive', async () => {
    const config = await discoverClient(provider.url);
    const { refresh_token: token } = await tokensOf(provider.url, 'ada@example.com');
    expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true, client_id: 'tautan' });
    await client.tokenRevocation(config, token);
    expect(await client.tokenIntrospection(config, token)).toEqual({ active: false });
    expect((await refresh(provider.url, token)).status).toBe(400);
  });
});

describe('the password grant', () => {
  const form = { grant_type: 'password', client_id: 'tautan', username: 'ada@example.com', password };

  test('issues a refresh token only for offline access', async () => {
    const without = await tokenRequest(provider.url, { ...form, scope: 'openid email' });
    expect(without.body).toMatchObject({ scope: 'openid email', token_type: 'Bearer' });
    expect(without.body).not.toHaveProperty('refresh_token');
    expect(decodeJwt(without.body['access_token'] as string)).toMatchObject({ aud: audience, name: 'Ada Lovelace' });
    const offline = await tokenRequest(provider.url, { ...form, scope: 'openid email offline_access' });
    expect((await refresh(provider.url, offline.body['refresh_token'] as string)).status).toBe(200);
  });

  test.each([
    ['a wrong password', { password: 'wrong wrong wrong' }, 400, 'invalid_grant'],
    ['an unknown address', { username: 'nobody@example.com' }, 400, 'invalid_grant'],
    ['an empty password', { password: '' }, 400, 'invalid_request'],
    ['the client of the CLI', { client_id: 'tautan-cli' }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'other' }, 401, 'invalid_client'],
  ])('refuses %s', async (_what, change, status, error) => {
    const answer = await tokenRequest(provider.url, { ...form, ...change });
    expect([answer.status, answer.body['error']]).toEqual([status, error]);
  });

  test('accepts the password given to createAccount, which is hashed at low cost', async () => {
    const slow = await startProvider({ passwordCost: { n: 2 ** 15, r: 8, p: 3 } });
    const account = { email: 'demo@example.com', password: 'correct-horse-battery', name: 'Demo User' };
    expect([await slow.createAccount(account), await slow.createAccount(account)]).toEqual([true, false]);
    const token = await tokenRequest(slow.url, { ...form, username: account.email, password: account.password });
    expect(token.status).toBe(200);
    const stored = readFileSync(join(slow.dataDir, 'identity.log'), 'latin1');
    expect(stored).toContain('"password":{"n":1024,');
    expect(stored).not.toContain(account.password);
  });

  test('locks an account after ten wrong passwords, and then refuses the correct password too', async () => {
    await signUp(provider.url, 'slow@example.com');
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        tokenRequest(provider.url, { ...form, username: 'slow@example.com', password: `wrong wrong ${i}` }),
      ),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
    const right = await tokenRequest(provider.url, { ...form, username: 'slow@example.com' });
    expect([right.status, right.body['error']]).toEqual([429, 'too_many_attempts']);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    const { browser, page } = await begin();
    const refused = await browser.submit(page, { email: 'slow@example.com', password });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await tokenRequest(provider.url, form)).status).toBe(200);
  });
});

test('signing out ends the session of the browser', async () => {
  const { begun } = await signedIn();
  const confirmation = await begun.browser.open('/api/v1/oidc/end-session');
  expect(confirmation.text).toContain('<h1>Sign out?</h1>');
  expect((await begun.browser.submit(confirmation, {}, 'logout=yes')).text).toContain('You are signed out');
  expect((await begin(begun.browser)).page.text).toContain('<h1>Sign in</h1>');
});

test('userinfo rejects an invalid access token', async () => {
  expect((await api(provider.url, 'GET /api/v1/oidc/userinfo', { token: 'x.y.z' })).status).toBe(401);
});
