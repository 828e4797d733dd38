import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '../testing/browser.js';
import {
  DEVICE_GRANT,
  password,
  refresh,
  signUp,
  startProvider,
  stopProviders,
  tokensOf,
  type Provider,
} from '../testing/running.js';

const LIMIT = 5;
let provider: Provider;
beforeAll(async () => {
  provider = await startProvider({ requestsPerMinute: LIMIT });
  await signUp(provider.url, 'ada@example.com');
});
afterAll(stopProviders);

let clients = 0;
/** Returns the header with which a proxy on this machine forwards a client address. No other test uses the address. */
const aClient = () => ({ 'x-forwarded-for': `198.51.100.${(clients += 1)}` });

const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
  fetch(`${provider.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
const postJson = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${provider.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends requests until one is rejected with 429. */
async function exhaust(send: () => Promise<Response>): Promise<{ allowed: number; rejected: Response }> {
  for (let allowed = 0; allowed <= 2 * LIMIT; allowed += 1) {
    const response = await send();
    if (response.status === 429) return { allowed, rejected: response };
    await response.body?.cancel();
  }
  throw new Error('no request was rejected');
}

const tokenPath = '/api/v1/oidc/token';
const unknownToken = { grant_type: 'refresh_token', client_id: 'tautan', refresh_token: 'unknown' };

describe('requests of OAuth clients', () => {
  test.each<[string, string, Record<string, string>]>([
    ['an unknown client at the token endpoint', tokenPath, { ...unknownToken, client_id: 'other' }],
    ['an unknown refresh token', tokenPath, unknownToken],
    ['an unknown client at the introspection endpoint', '/api/v1/oidc/introspect', { client_id: 'other', token: 'x' }],
    ['an unknown client at the revocation endpoint', '/api/v1/oidc/revoke', { client_id: 'other', token: 'x' }],
    ['device authorization', '/api/v1/oidc/device/authorize', { client_id: 'tautan-cli', scope: 'openid' }],
  ])('are limited by address: %s', async (_what, path, fields) => {
    const client = aClient();
    const { allowed, rejected } = await exhaust(() => post(path, fields, client));
    expect(allowed).toBe(LIMIT);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(rejected.headers.get('cache-control')).toBe('no-store');
    expect(await rejected.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/^Too many requests from this address\. Try again in \d+ seconds?\.$/),
    });
    expect((await post(path, fields, aClient())).status).not.toBe(429);
  });

  test('are rejected with slow_down if a device polls beyond the limit (RFC 8628 section 3.5)', async () => {
    const client = aClient();
    await exhaust(() => post(tokenPath, unknownToken, client));
    const rejected = await post(
      tokenPath,
      { grant_type: DEVICE_GRANT, client_id: 'tautan-cli', device_code: 'x' },
      client,
    );
    expect([rejected.status, await rejected.json()]).toEqual([429, expect.objectContaining({ error: 'slow_down' })]);
    expect(rejected.headers.has('retry-after')).toBe(true);
  });

  test('polls of a device that waits for approval are not counted', async () => {
    const client = aClient();
    const device = { client_id: 'tautan-cli', scope: 'openid' };
    const { device_code: code } = (await (
      await post('/api/v1/oidc/device/authorize', device, client)
    ).json()) as Record<string, string>;
    const poll = { grant_type: DEVICE_GRANT, client_id: 'tautan-cli', device_code: code! };
    for (let i = 0; i < 2 * LIMIT; i += 1) expect((await post(tokenPath, poll, client)).status).toBe(400);
  });

  test('that fail concurrently cannot exceed the limit', async () => {
    const client = aClient();
    const wrong = { grant_type: 'password', client_id: 'tautan', password: 'wrong', scope: 'openid' };
    const attempts = Array.from({ length: 3 * LIMIT }, (_, i) => ({ ...wrong, username: `nobody-${i}@example.com` }));
    const responses = await Promise.all(attempts.map((fields) => post(tokenPath, fields, client)));
    expect(responses.filter(({ status }) => status !== 429)).toHaveLength(LIMIT);
  });

  test('successful refreshes of tokens are not limited', async () => {
    let { refresh_token: current } = await tokensOf(provider.url, 'ada@example.com');
    for (let i = 0; i < 2 * LIMIT; i += 1) {
      const { status, body } = await refresh(provider.url, current);
      expect(status).toBe(200);
      current = body['refresh_token'] as string;
    }
  });
});

describe('requests to pages and to the JSON API', () => {
  test.each(['/sign-up', '/forgot-password'])('%s is limited by address; the error is an HTML page', async (path) => {
    const client = { ...aClient(), 'sec-fetch-site': 'same-origin' };
    const { allowed, rejected } = await exhaust(() => post(path, { email: 'x' }, client));
    expect(allowed).toBe(LIMIT);
    expect(rejected.headers.get('content-type')).toContain('text/html');
    expect(rejected.headers.has('retry-after')).toBe(true);
    expect(await rejected.text()).toContain('Too many attempts');
  });

  test.each<[string, object]>([
    ['/api/v1/people', { email: 'x', password, name: 'Ada' }],
    ['/api/v1/people/forgot-password', { email: 'ada@example.com' }],
  ])('%s is limited by address', async (path, body) => {
    const client = aClient();
    const { allowed, rejected } = await exhaust(() => postJson(path, body, client));
    expect(allowed).toBe(LIMIT);
    expect(rejected.headers.has('retry-after')).toBe(true);
    expect(await rejected.json()).toMatchObject({ error: 'too_many_requests' });
  });

  test('user code entry is limited by address; the error is an HTML page', async () => {
    const client = aClient();
    const { rejected } = await exhaust(() =>
      fetch(`${provider.url}/api/v1/oidc/device?user_code=BBBB-BBBB`, { headers: client }),
    );
    expect(rejected.headers.get('content-type')).toContain('text/html');
    expect(await rejected.text()).toContain('Too many attempts');
  });

  test('attempts count as failures if the client disconnects before the response', async () => {
    const client = aClient();
    const { hostname, port } = new URL(provider.url);
    for (let i = 0; i < LIMIT; i += 1) {
      const socket = connect(Number(port), hostname);
      const head = ['POST /sign-in HTTP/1.1', 'Host: x', `X-Forwarded-For: ${client['x-forwarded-for']}`];
      socket.write(`${[...head, 'Expect: 100-continue', 'Content-Length: 9'].join('\r\n')}\r\n\r\n`);
      // The interim response shows that the server has received the request.
      await once(socket, 'data');
      socket.destroy();
    }
    // By the time of this response, the server has noticed that the connections are closed.
    await (await fetch(`${provider.url}/sign-in`)).text();
    expect((await post('/sign-in', { email: 'ada@example.com', password: 'wrong' }, client)).status).toBe(429);
  });

  test('wrong passwords are limited by address across all accounts', async () => {
    const client = aClient();
    const browser = new Browser(provider.url);
    const signInUrl = `/api/v1/oidc/authorize?client_id=tautan&response_type=code&scope=openid&redirect_uri=${encodeURIComponent('http://localhost:8080/api/v1/auth/callback')}&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`;
    const form = await browser.open(signInUrl);
    const statuses = [];
    for (let i = 0; i <= LIMIT; i += 1) {
      const page = await browser.submit(
        form,
        { email: `nobody-${i}@example.com`, password: 'wrong' },
        undefined,
        client,
      );
      statuses.push(page.status);
    }
    expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 401), 429]);
  });
});

test('addresses of one IPv6 /64 network count as one client', async () => {
  let host = 0;
  const { allowed } = await exhaust(() =>
    post(tokenPath, unknownToken, { 'x-forwarded-for': `2001:db8::${(host += 1)}` }),
  );
  expect(allowed).toBe(LIMIT);
});

test("the address seen by the proxy on this machine counts, not the client's X-Forwarded-For", async () => {
  const client = aClient()['x-forwarded-for'];
  let claimed = 0;
  const { allowed } = await exhaust(() =>
    post(tokenPath, unknownToken, { 'x-forwarded-for': `203.0.113.${(claimed += 1)}, ${client}` }),
  );
  expect(allowed).toBe(LIMIT);
});
