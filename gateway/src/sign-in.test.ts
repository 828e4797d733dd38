import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { aPerson } from './testing/people.js';

const ORIGIN = 'https://go.example';
let gateway: TestGateway;
let sessions: TestGateway['services']['sessions'];

beforeAll(async () => {
  gateway = await startGateway({ BASE_URL: ORIGIN, RATE_LIMIT_AUTH: '100000' });
  sessions = { ...gateway.services.sessions };
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.sessions = { ...sessions };
});
afterAll(() => gateway.stop());

type Headers = Record<string, string>;
const send = (method: string, path: string, body?: unknown, headers: Headers = {}, to = gateway) =>
  to.request(method, `/auth/${path}`, body, { authorization: '', ...headers });
const session = () => gateway.services.people.owner.session;
const cookies = ({ headers }: { headers: globalThis.Headers }) => headers.getSetCookie();
const requests = (name: string) =>
  gateway.services.calls.filter(({ method }) => method === name).map((it) => it.request);

const client = { ip: '127.0.0.1', userAgent: expect.any(String) };

describe('GET auth/authorize', () => {
  const redirectUri = (location: string | null) => new URL(location!).searchParams.get('redirect_uri');

  test('redirects to the identity provider and sets a cookie for ten minutes', async () => {
    const answer = await send('GET', 'authorize?returnTo=/docs%3Fa%3D1%23b');
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([302, '', 'no-store']);
    expect(answer.headers.get('location')).toMatch(/^https:\/\/identity\.example\/auth\?/);
    expect(cookies(answer)).toEqual([
      'tautan_login=browser-secret; Path=/api/v1/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(requests('BeginLogin')).toEqual([
      { returnTo: '/docs?a=1#b', redirectUri: `${ORIGIN}/api/v1/auth/callback` },
    ]);
  });

  test('has a redirect URI on the requested host if BASE_URL is not set', async () => {
    const own = await startGateway();
    const answer = await send('GET', 'authorize', undefined, {}, own);
    expect(redirectUri(answer.headers.get('location'))).toBe(`${own.url}/api/v1/auth/callback`);
    await own.stop();
  });

  test('has /app as its default destination', async () => {
    await send('GET', 'authorize');
    expect(requests('BeginLogin')[0]).toMatchObject({ returnTo: '/app' });
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'docs',
    '/\t/evil.example',
    '/a\r\nSet-Cookie: a=b',
    '',
  ])('never redirects to %j', async (returnTo) => {
    const { status, error } = await send('GET', `authorize?returnTo=${encodeURIComponent(returnTo)}`);
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', 'returnTo']);
    expect(requests('BeginLogin')).toEqual([]);
  });
});

describe('GET auth/callback', () => {
  const back = (query = 'code=c&state=s&more=1', headers: Headers = {}) =>
    send('GET', `callback?${query}`, undefined, { cookie: 'a=b; tautan_login=browser-secret', ...headers });

  test('starts a session, deletes the sign-in cookie, and redirects to the destination', async () => {
    gateway.services.sessions.FinishLogin = async () => ({
      secret: session(),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
      user: aPerson('owner'),
      returnTo: '/docs?a=1#b',
    });
    const answer = await back();
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([302, '/docs?a=1#b', '']);
    expect(cookies(answer)).toEqual([
      expect.stringMatching(
        /^tautan_session=tau_session_[\w-]{43}; Path=\/; Max-Age=(59|60); HttpOnly; SameSite=Lax; Secure$/,
      ),
      'tautan_login=; Path=/api/v1/auth; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(requests('FinishLogin')).toEqual([
      { callbackUrl: `${ORIGIN}/api/v1/auth/callback?code=c&state=s&more=1`, browserSecret: 'browser-secret', client },
    ]);
  });

  test.each(['', '//evil.example', 'https://evil.example', '/.//evil.example', '/a\r\nSet-Cookie: a=b'])(
    'redirects to /app if the destination is %j',
    async (returnTo) => {
      const { FinishLogin } = sessions;
      gateway.services.sessions.FinishLogin = async (call, request) => ({
        ...(await FinishLogin(call, request)),
        returnTo,
      });
      expect((await back()).headers.get('location')).toBe('/app');
    },
  );

  test('in a browser that did not start the sign-in is rejected without calling the workspaces service', async () => {
    const answer = await back(undefined, { cookie: '' });
    expect([answer.status, answer.error!.code, cookies(answer), requests('FinishLogin')]).toEqual([
      401,
      'UNAUTHENTICATED',
      [],
      [],
    ]);
  });

  describe('an error response', () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    beforeEach(() => {
      gateway.services.sessions.FinishLogin = () =>
        Promise.reject(fail('UNAUTHENTICATED', 'The provider says: <script>alert("x")</script> & \'more\'.'));
    });

    test('is a page for a browser, with the reason, a link to try again, and no scripts', async () => {
      const answer = await back('error=access_denied', html);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(answer.headers.get('vary')).toMatch(/Accept/);
      expect(answer.text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;more&#39;');
      expect(answer.text).not.toMatch(/<script|https?:\/\//);
      expect(answer.text).toContain('<a class="action" href="/api/v1/auth/authorize">Try again</a>');
      expect(answer.text).toContain(answer.headers.get('x-request-id')!);
      expect(cookies(answer)).toEqual([]);
    });

    test.each<[string, Headers]>([
      ['a client that accepts JSON', { accept: 'application/json' }],
      ['a client that accepts any type', { accept: '*/*' }],
    ])('is the JSON envelope of the API for %s', async (_name, headers) => {
      const { status, error } = await back('error=access_denied', headers);
      expect([status, error!.code]).toEqual([401, 'UNAUTHENTICATED']);
    });

    test('is a page for a browser after any error, and hides the message of an unexpected error', async () => {
      gateway.services.sessions.FinishLogin = () => Promise.reject(new Error('secret of the database'));
      const broken = await back(undefined, html);
      expect([broken.status, broken.text.includes('not possible right now')]).toEqual([500, true]);
      expect(broken.text).not.toContain('secret');
      gateway.services.sessions.BeginLogin = () =>
        Promise.reject(fail('UPSTREAM_UNAVAILABLE', 'The provider is unavailable.'));
      const unavailable = await send('GET', 'authorize', undefined, html);
      expect([unavailable.status, unavailable.text.includes('The provider is unavailable.')]).toEqual([502, true]);
    });
  });
});

test('limits sign-in attempts of all kinds together, per address and minute', async () => {
  const limited = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' });
  const from = (ip: string) => ({ 'x-forwarded-for': ip, accept: 'text/html' });
  const attempts = [];
  for (const path of ['signup', 'login', 'refresh', 'logout', 'forgot-password'])
    attempts.push(['POST', path], ['POST', path]);
  for (const [method, path] of attempts) {
    expect((await send(method!, path!, undefined, from('203.0.113.1'), limited)).status).not.toBe(429);
  }
  for (const [method, path] of [...attempts, ['GET', 'authorize'], ['GET', 'callback']]) {
    const answer = await send(method!, path!, undefined, from('203.0.113.1'), limited);
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([429, '10']);
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(answer.text).toContain(`Rate limit exceeded. Try again in ${wait} s.`);
  }
  const elsewhere = await send('POST', 'logout', undefined, from('203.0.113.2'), limited);
  const other = await send('GET', 'configuration', undefined, from('203.0.113.1'), limited);
  expect([elsewhere.status, other.status]).toEqual([200, 200]);
  await limited.stop();
});
