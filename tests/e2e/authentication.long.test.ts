import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { apiClient, type ApiResponse } from '../support/client.js';
import { aKey, aPerson, aWorkspace, accepted, grant, type ApiWorkspace, type Person } from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// Sign-in, tokens, API keys and sessions.
let stack: Stack;
let person: Person;
let workspace: ApiWorkspace;

beforeAll(async () => {
  stack = await shareStack();
  person = await aPerson(stack, { name: 'Ibu Sari' });
  workspace = await aWorkspace(person);
});

interface SessionView {
  user: { id: string; email: string; name: string } | null;
  workspace: { id: string; role: string | null } | null;
  credential: { type: string };
}

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code];
const anonymous = () => apiClient({ ...stack, apiKey: '' });
const listLinksWith = (authorization: string) => anonymous().get('/links', { authorization });

describe('credentials', () => {
  test("an API key is accepted as Bearer and as ApiKey, regardless of the scheme's case", async () => {
    const { key } = await aKey(person, workspace.id);
    for (const scheme of ['Bearer', 'bearer', 'ApiKey', 'APIKEY'])
      expect((await listLinksWith(`${scheme} ${key}`)).status).toBe(200);
  });

  test('a missing or malformed Authorization header returns UNAUTHENTICATED with WWW-Authenticate', async () => {
    const { key } = await aKey(person, workspace.id);
    for (const authorization of [
      '',
      key,
      `Basic ${key}`,
      'Bearer',
      'Bearer x',
      `Bearer ${key}x`,
      `Bearer ${'x'.repeat(9_000)}`,
    ]) {
      const answer = await listLinksWith(authorization);
      expect(errorOf(answer)).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('an access token authenticates its user', async () => {
    const { data } = await person.api.get<SessionView>('/auth/session');
    expect(data).toMatchObject({
      user: { id: expect.stringMatching(/^usr_/), email: person.email, name: 'Ibu Sari' },
      workspace: { id: expect.stringMatching(/^ws_/), role: 'owner' },
      credential: { type: 'token' },
    });
  });

  test('GET session returns the principal of an API key', async () => {
    const { key, id } = await aKey(person, workspace.id);
    const { data } = await apiClient({ ...stack, apiKey: key }).get<SessionView>('/auth/session');
    expect(data).toMatchObject({ user: null, workspace: { id: workspace.id }, credential: { type: 'api_key', id } });
  });

  test('an unsigned or truncated token, or one with an altered signature, returns UNAUTHENTICATED', async () => {
    const [head, body, signature] = person.token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const token of [
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      `${head}.${body}`,
    ]) {
      expect(errorOf(await listLinksWith(`Bearer ${token}`))).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  test('an ID token is not accepted as an access token', async () => {
    const { body } = await grant(stack, {
      grant_type: 'password',
      username: person.email,
      password: person.password,
      scope: 'openid',
    });
    expect(body['id_token']).toBeDefined();
    expect(errorOf(await listLinksWith(`Bearer ${body['id_token']}`))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('refresh tokens rotate, and reusing one revokes the whole family', async () => {
    const user = await aPerson(stack);
    const refresh = (token: string) => grant(stack, { grant_type: 'refresh_token', refresh_token: token });
    const second = await refresh(user.refreshToken);
    expect(second.status).toBe(200);
    expect(second.body['refresh_token']).not.toBe(user.refreshToken);
    expect((await refresh(user.refreshToken)).status).toBe(400);
    expect((await refresh(second.body['refresh_token']!)).status).toBe(400);
  });

  test('a new user owns the workspace that the sign-up created, and can create another', async () => {
    const user = await aPerson(stack);
    const roles = async () => accepted(await user.api.get<ApiWorkspace[]>('/workspaces')).map(({ role }) => role);
    expect(await roles()).toEqual(['owner']);
    expect((await aWorkspace(user)).role).toBe('owner');
    expect(await roles()).toEqual(['owner', 'owner']);
  });
});

describe('sessions', () => {
  const origin = () => ({ origin: new URL(stack.baseUrl).origin });
  const post = (path: string, body: unknown, headers: Record<string, string> = origin()) =>
    anonymous().request<SessionView>('POST', path, body, { authorization: '', ...headers });
  const cookieOf = (answer: ApiResponse<unknown>) =>
    answer.headers.getSetCookie().find((each) => each.startsWith('tautan_session='))!;
  const cookieHeader = (cookie: string) => ({ cookie: cookie.split(';')[0]! });
  const login = async (who: Person) =>
    cookieHeader(cookieOf(await post('/auth/login', { email: who.email, password: who.password })));
  const withCookie = (
    method: string,
    path: string,
    cookie: { cookie: string },
    more: Record<string, string> = {},
    body?: unknown,
  ) => anonymous().request<SessionView>(method, path, body, { authorization: '', ...cookie, ...more });

  test('the cookie is HttpOnly, SameSite=Lax, for all paths, valid for 30 days, and not Secure on http://localhost', async () => {
    const answer = await post('/auth/login', { email: person.email, password: person.password });
    expect(answer.status).toBe(200);
    const cookie = cookieOf(answer);
    expect(cookie).toMatch(/; Path=\/(;|$)/i);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    expect(cookie).not.toMatch(/; Secure/i);
    const maxAge = Number(/; Max-Age=(\d+)/i.exec(cookie)?.[1]);
    expect(maxAge).toBeGreaterThan(30 * 86_400 - 60);
    expect(maxAge).toBeLessThanOrEqual(30 * 86_400);
    expect((await withCookie('GET', '/auth/session', cookieHeader(cookie))).data).toMatchObject({
      user: { email: person.email },
      credential: { type: 'session' },
    });
  });

  test('sign-up creates and signs in the user; an email that is in use or a weak password is rejected', async () => {
    const body = { email: `baru.${Date.now()}@example.com`, password: 'sandi yang panjang sekali', name: 'Orang Baru' };
    const answer = await post('/auth/signup', body);
    expect([answer.status, answer.data.user]).toEqual([201, expect.objectContaining({ email: body.email })]);
    expect((await withCookie('GET', '/auth/session', cookieHeader(cookieOf(answer)))).status).toBe(200);
    const again = await post('/auth/signup', body);
    expect([again.error?.code, again.error?.field]).toEqual(['VALIDATION_ERROR', 'email']);
    const weak = await post('/auth/signup', { ...body, email: 'lain@example.com', password: 'x' });
    expect([weak.status, weak.error?.code, weak.error?.field]).toEqual([400, 'VALIDATION_ERROR', 'password']);
  });

  test('an unknown email and a wrong password return the same message', async () => {
    const answers = [
      await post('/auth/login', { email: person.email, password: 'salah sama sekali' }),
      await post('/auth/login', { email: 'siapa@example.com', password: person.password }),
    ];
    expect(answers.map(({ status, error }) => [status, error!.code])).toEqual([
      [401, 'UNAUTHENTICATED'],
      [401, 'UNAUTHENTICATED'],
    ]);
    expect(answers[0]!.error!.message).toBe(answers[1]!.error!.message);
  });

  test('forgot-password returns 200 whether or not the email belongs to a user', async () => {
    for (const email of [person.email, 'siapa@example.com']) {
      const { status, data } = await post('/auth/forgot-password', { email });
      expect([status, data]).toEqual([200, { accepted: true }]);
    }
  });

  test('unsafe methods with a cookie need an Origin of this service', async () => {
    const cookie = await login(person);
    const tag = { name: `asal-${Date.now()}` };
    for (const more of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(errorOf(await withCookie('POST', '/tags', cookie, more as Record<string, string>, tag))).toEqual([
        403,
        'FORBIDDEN',
      ]);
    }
    expect((await withCookie('POST', '/tags', cookie, origin(), tag)).status).toBe(201);
    expect((await withCookie('GET', '/tags', cookie)).status).toBe(200);
    // A browser never sends an access token in the Authorization header on its own, so the origin of such a request does not matter.
    const { status } = await person.api.post(
      '/tags',
      { name: `kunci-${Date.now()}` },
      { origin: 'https://evil.example' },
    );
    expect(status).toBe(201);
  });

  test('sign-out ends the session and clears the cookie', async () => {
    const cookie = await login(person);
    const answer = await withCookie('POST', '/auth/logout', cookie, origin(), {});
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^tautan_session=;/);
    await eventually(
      async () => expect(errorOf(await withCookie('GET', '/auth/session', cookie))).toEqual([401, 'UNAUTHENTICATED']),
      1_000,
    );
  });

  test('are listed newest first, and can be revoked individually, or all at once except the current one', async () => {
    interface Listed {
      id: string;
      current: boolean;
      userAgent: string | null;
    }
    const who = await aPerson(stack, { name: 'Pak Joko' });
    const [phone, tablet, laptop] = [await login(who), await login(who), await login(who)] as const;
    const list = async (cookie = laptop) =>
      (await withCookie('GET', '/auth/sessions', cookie)) as unknown as ApiResponse<Listed[]>;
    const remove = (path: string, cookie = laptop) => withCookie('DELETE', `/auth/sessions${path}`, cookie, origin());
    const { data, meta, text } = await list();
    expect(data.map(({ current }) => current)).toEqual([true, false, false]);
    expect(data[0]).toMatchObject({ id: expect.stringMatching(/^ses_[0-9a-hjkmnp-tv-z]{26}$/), userAgent: 'node' });
    expect(meta.page).toEqual({ limit: 3, hasMore: false });
    expect(text).not.toContain('tau_session');

    // Ids of other users' sessions and unknown ids are rejected.
    const otherUsersSession = (await list(await login(person))).data[0]!.id;
    for (const id of [otherUsersSession, `ses_${'0'.repeat(26)}`, 'x'])
      expect(errorOf(await remove(`/${id}`))).toEqual([404, 'NOT_FOUND']);
    const oldest = data[2]!.id;
    expect((await withCookie('GET', '/auth/session', phone)).status).toBe(200);
    expect((await remove(`/${oldest}`)).data).toEqual({ id: oldest, deleted: true });
    await eventually(
      async () => expect(errorOf(await withCookie('GET', '/auth/session', phone))).toEqual([401, 'UNAUTHENTICATED']),
      1_000,
    );
    expect(errorOf(await remove(`/${oldest}`))).toEqual([404, 'NOT_FOUND']);

    expect((await remove('')).data).toEqual({ count: 1, deleted: true });
    expect((await list()).data.map(({ current }) => current)).toEqual([true]);
    await eventually(
      async () => expect(errorOf(await withCookie('GET', '/auth/session', tablet))).toEqual([401, 'UNAUTHENTICATED']),
      1_000,
    );
    expect(
      errorOf(
        await anonymous().request('GET', '/auth/sessions', undefined, {
          authorization: `Bearer ${(await aKey(person, workspace.id)).key}`,
        }),
      ),
    ).toEqual([403, 'PERSON_ONLY']);
    expect((await who.api.delete<object>('/auth/sessions')).data).toEqual({ count: 1, deleted: true });
  });

  test('concurrent refreshes never end a session', async () => {
    const cookie = await login(person);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => withCookie('POST', '/auth/refresh', cookie, origin(), {})),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect((await withCookie('GET', '/auth/session', cookie)).status).toBe(200);
  });

  test('authorize rejects a returnTo that is not an absolute path of this service', async () => {
    for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example', 'docs']) {
      const answer = await anonymous().get(`/auth/authorize?returnTo=${encodeURIComponent(returnTo)}`);
      expect([answer.status, answer.error?.field]).toEqual([400, 'returnTo']);
    }
  });
});

describe('a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test('signs in through the authorize and callback endpoints, and signs out', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${stack.baseUrl}/api/v1/auth/authorize?returnTo=/docs`);
    expect(new URL(page.url()).origin).toBe((await stack.quickstart()).identity.url);
    await page.getByLabel(/email/i).fill(person.email);
    await page
      .getByLabel(/password/i)
      .first()
      .fill(person.password);
    await page.getByRole('button', { name: /sign in/i }).click();
    await page.waitForURL(`${stack.baseUrl}/docs**`);
    const cookies = await page.context().cookies();
    expect(cookies.find(({ name }) => name === 'tautan_session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
    expect(cookies.find(({ name }) => name === 'tautan_login')).toBeUndefined();
    const inPage = (method: string, path: string) =>
      page.evaluate(
        async ([verb, where]) => {
          const answer = await fetch(`/api/v1${where}`, { method: verb! });
          return { status: answer.status, body: (await answer.json()) as { data: SessionView } };
        },
        [method, path],
      );
    expect((await inPage('GET', '/auth/session')).body.data.user).toMatchObject({ email: person.email });
    expect((await inPage('POST', '/auth/logout')).status).toBe(200);
    expect((await inPage('GET', '/auth/session')).status).toBe(401);
    await page.close();
  });

  test('shows an error page and gets no session after a sign-in that was started in another browser', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${stack.baseUrl}/api/v1/auth/authorize`);
    await context.clearCookies({ name: 'tautan_login' });
    await page.getByLabel(/email/i).fill(person.email);
    await page
      .getByLabel(/password/i)
      .first()
      .fill(person.password);
    const callback = page.waitForResponse(/\/api\/v1\/auth\/callback/);
    await page.getByRole('button', { name: /sign in/i }).click();
    expect((await callback).status()).toBe(401);
    await page.getByRole('link', { name: /again/i }).waitFor();
    expect((await context.cookies()).filter(({ name }) => name === 'tautan_session')).toEqual([]);
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/callback-error.png` });
    await context.close();
  });
});
