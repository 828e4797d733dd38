import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { OTHER_WORKSPACE_ID, userId, WORKSPACE_ID } from './testing/people.js';

const ORIGIN = 'https://go.example';
let gateway: TestGateway;
let httpGateway: TestGateway;
let sessions: TestGateway['services']['sessions'];

beforeAll(async () => {
  gateway = await startGateway({ BASE_URL: ORIGIN, RATE_LIMIT_AUTH: '100000' });
  httpGateway = await startGateway({ BASE_URL: 'http://localhost:8080', RATE_LIMIT_AUTH: '100000' });
  sessions = { ...gateway.services.sessions };
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.sessions = { ...sessions };
});
afterAll(async () => {
  await gateway.stop();
  await httpGateway.stop();
});

type Headers = Record<string, string>;
const send = (method: string, path: string, body?: unknown, headers: Headers = {}, to = gateway) =>
  to.request(method, `/auth/${path}`, body, { authorization: '', ...headers });
const session = () => gateway.services.people.owner.session;
const withSession = (more: Headers = {}): Headers => ({
  cookie: `tautan_session=${session()}`,
  origin: ORIGIN,
  ...more,
});
const cookies = ({ headers }: { headers: globalThis.Headers }) => headers.getSetCookie();
const requests = (name: string) =>
  gateway.services.calls.filter(({ method }) => method === name).map(({ request }) => request);

const owner = { id: userId('owner'), email: 'owner@example.com', name: 'The owner' };
const acme = { id: WORKSPACE_ID, name: 'Acme', role: 'owner', plan: 'BUSINESS' };
const client = { ip: '127.0.0.1', userAgent: expect.any(String) };
const account = { email: 'owner@example.com', password: 'correct horse' };

describe.each([
  ['signup', 201, 'SignUp', { ...account, name: 'The owner' }],
  ['login', 200, 'PasswordLogin', account],
] as const)('POST auth/%s', (path, status, method, body) => {
  test('opens a session and sets its cookie, HttpOnly, SameSite=Lax and Secure, for 30 days', async () => {
    const answer = await send('POST', path, body);
    const { expiresAt } = (answer.data as { credential: { expiresAt: string } }).credential;
    expect([answer.status, answer.data]).toEqual([
      status,
      { user: owner, workspace: acme, credential: { type: 'session', expiresAt } },
    ]);
    const [cookie, ...others] = cookies(answer);
    const format = /^tautan_session=(tau_session_[\w-]{43}); Path=\/; Max-Age=(\d+); HttpOnly; SameSite=Lax; Secure$/;
    const [, secret, maxAge] = format.exec(cookie!)!;
    expect([secret, others]).toEqual([gateway.services.people.owner.session, []]);
    expect(Math.abs(Number(maxAge) - 30 * 86_400)).toBeLessThan(5);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.text).not.toContain(secret);
    expect(requests(method)).toEqual([{ ...body, client }]);
  });

  test('omits Secure if the base URL is http on a loopback host', async () => {
    expect(cookies(await send('POST', path, body, {}, httpGateway))[0]).toMatch(/; HttpOnly; SameSite=Lax$/);
  });

  test.each<[string, Headers]>([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['a request that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_name, headers) => {
    const { status, error } = await send('POST', path, body, headers);
    expect([status, error!.code, requests(method)]).toEqual([403, 'FORBIDDEN', []]);
  });

  test('accepts its own origin, and requests that the browser marks as same-origin', async () => {
    expect((await send('POST', path, body, { origin: ORIGIN })).status).toBe(status);
    expect((await send('POST', path, body, { 'sec-fetch-site': 'same-origin' })).status).toBe(status);
  });

  test('stores no response for an Idempotency-Key', async () => {
    await send('POST', path, body, { 'idempotency-key': 'a' });
    const again = await send('POST', path, body, { 'idempotency-key': 'a' });
    expect([again.headers.get('idempotency-replayed'), requests(method).length, requests('BeginRequest')]).toEqual([
      null,
      2,
      [],
    ]);
  });

  test('returns Retry-After: 1 if the identity provider limits requests but sends no Retry-After', async () => {
    const refuse = () => Promise.reject(fail('TOO_MANY_REQUESTS', 'The identity provider limits requests.'));
    Object.assign(gateway.services.sessions, { SignUp: refuse, PasswordLogin: refuse });
    const answer = await send('POST', path, body);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1']);
  });

  test.each([
    ['TOO_MANY_REQUESTS', 429],
    ['UPSTREAM_UNAVAILABLE', 502],
    ['SERVICE_UNAVAILABLE', 503],
  ] as const)('returns %s with the Retry-After of the identity provider, if any', async (code, expected) => {
    const refuse = (seconds?: number) => () => Promise.reject(fail(code, 'Later.', undefined, seconds));
    Object.assign(gateway.services.sessions, { SignUp: refuse(17), PasswordLogin: refuse(17) });
    const answer = await send('POST', path, body);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([expected, '17']);
    Object.assign(gateway.services.sessions, { SignUp: refuse(), PasswordLogin: refuse() });
    expect((await send('POST', path, body)).headers.get('retry-after')).toBe(expected === 429 ? '1' : null);
  });

  test('sets no cookie if refused', async () => {
    const refuse = () => Promise.reject(fail('UNAUTHENTICATED', 'Incorrect email or password.'));
    Object.assign(gateway.services.sessions, { SignUp: refuse, PasswordLogin: refuse });
    const answer = await send('POST', path, body);
    expect([answer.status, cookies(answer)]).toEqual([401, []]);
  });
});

describe('POST auth/refresh', () => {
  test('extends the session and sets its cookie again', async () => {
    const answer = await send('POST', 'refresh', undefined, withSession());
    expect([answer.status, answer.data]).toMatchObject([200, { user: owner, workspace: acme }]);
    expect(cookies(answer)[0]).toMatch(/^tautan_session=tau_session_/);
    expect(requests('RefreshSession')).toEqual([{ secret: session() }]);
  });

  test('is UNAUTHENTICATED without a session, and FORBIDDEN from another origin or without an origin', async () => {
    expect((await send('POST', 'refresh')).error!.code).toBe('UNAUTHENTICATED');
    expect((await send('POST', 'refresh', undefined, withSession({ origin: 'https://evil.example' }))).status).toBe(
      403,
    );
    expect((await send('POST', 'refresh', undefined, withSession({ origin: '' }))).status).toBe(403);
    expect(requests('RefreshSession')).toEqual([]);
  });
});

describe('POST auth/logout', () => {
  test('ends the session, deletes the cookie, and invalidates the cached session', async () => {
    const readSession = () => send('GET', 'session', undefined, withSession());
    expect((await readSession()).status).toBe(200);
    const answer = await send('POST', 'logout', undefined, withSession());
    expect([answer.status, answer.data]).toEqual([200, { loggedOut: true }]);
    expect(cookies(answer)).toEqual(['tautan_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure']);
    expect(requests('EndSession')).toEqual([{ secret: session(), client: { ip: '127.0.0.1', userAgent: 'node' } }]);
    gateway.services.calls.splice(0);
    await readSession();
    expect(requests('AuthenticateUser')).toHaveLength(1);
  });

  test('succeeds without a session, and is FORBIDDEN from another origin', async () => {
    expect((await send('POST', 'logout')).status).toBe(200);
    expect((await send('POST', 'logout', undefined, withSession({ origin: 'https://evil.example' }))).status).toBe(403);
    expect(requests('EndSession')).toEqual([]);
  });
});

test('POST auth/forgot-password forwards the email and responds with 200', async () => {
  const answer = await send('POST', 'forgot-password', { email: 'a@example.com' });
  expect([answer.status, answer.data, requests('ForgotPassword')]).toEqual([
    200,
    { accepted: true },
    [{ email: 'a@example.com' }],
  ]);
});

describe('GET auth/session', () => {
  test('returns the user and workspace of a cookie, and sets the cookie again', async () => {
    const answer = await send('GET', 'session', undefined, { cookie: withSession()['cookie']! });
    expect(answer.data).toMatchObject({ user: owner, workspace: acme, credential: { type: 'session' } });
    expect(cookies(answer)[0]).toMatch(new RegExp(`^tautan_session=${session()}; Path=/; Max-Age=\\d+; HttpOnly`));
  });

  test('returns the expiry of a token, and sets no cookie', async () => {
    const headers = {
      authorization: `Bearer ${gateway.services.people.owner.token}`,
      cookie: `tautan_session=${session()}`,
    };
    const answer = await send('GET', 'session', undefined, headers);
    expect(answer.data).toMatchObject({ credential: { type: 'token', expiresAt: '2099-01-01T00:00:00.000Z' } });
    expect(cookies(answer)).toEqual([]);
  });

  test('respects X-Workspace-Id', async () => {
    const answer = await send('GET', 'session', undefined, withSession({ 'x-workspace-id': OTHER_WORKSPACE_ID }));
    expect(answer.data).toMatchObject({
      workspace: { id: OTHER_WORKSPACE_ID, name: 'Other', role: 'viewer', plan: 'FREE' },
    });
  });

  test('has no workspace for a user without one', async () => {
    const headers = { authorization: `Bearer ${gateway.services.people.withoutWorkspace.token}` };
    expect((await send('GET', 'session', undefined, headers)).data).toMatchObject({
      user: { id: userId('withoutWorkspace') },
      workspace: null,
    });
  });

  test('has no user for an API key', async () => {
    const { data } = await gateway.request('GET', '/auth/session');
    expect(data).toEqual({
      user: null,
      workspace: { ...acme, role: null },
      credential: { type: 'api_key', id: 'key_BUSINESS', label: 'BUSINESS' },
    });
  });
});

test('GET auth/configuration is public', async () => {
  expect((await send('GET', 'configuration')).data).toEqual({
    issuer: 'https://identity.example',
    deviceAuthorizationEndpoint: 'https://identity.example/device',
    tokenEndpoint: 'https://identity.example/token',
    deviceClientId: null,
    scope: 'openid',
    audience: 'https://go.example/api/v1',
  });
});
