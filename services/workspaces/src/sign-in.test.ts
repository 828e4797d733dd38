import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { AUDIENCE } from './testing/oidc.js';
import { as } from './testing/service.js';
import { redirectUri, startSignIns, type SignIns } from './testing/sign-ins.js';

let fixture: SignIns;
beforeAll(async () => {
  fixture = await startSignIns();
});
afterEach(() => fixture.recover());
afterAll(() => fixture.stop());

describe('password sign-in', () => {
  test('opens a session of the user', async () => {
    const person = fixture.aPerson({ name: 'Dewi' }, 'Kopi');
    const client = { ip: '192.0.2.7', userAgent: 'Firefox' };
    const request = { email: person.email.toUpperCase(), password: person.password, client };
    const opened = await fixture.service.sessions.call('PasswordLogin', request, as());
    expect(opened.secret).toMatch(/^tau_session_[A-Za-z0-9_-]{43}$/);
    expect(new Date(opened.expiresAt).getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
    expect(opened.user).toMatchObject({ name: 'Dewi', credentialKind: 'session', workspaceName: 'Kopi' });
    expect(await fixture.authenticate(opened.secret)).toEqual(opened.user);
    const event = await until(() =>
      fixture.events.find(({ type, target }) => type === 'session.created' && target.id === opened.user!.userId),
    );
    expect(event).toMatchObject({
      workspaceId: opened.user!.workspaceId,
      actor: { type: 'user', id: opened.user!.userId, name: 'Dewi' },
      ...client,
      data: { email: person.email },
    });
  });

  test('rejects an unknown email and a wrong password with the same message', async () => {
    const person = fixture.aPerson();
    const wrong = [
      { ...person, password: 'wrong' },
      { ...person, email: 'nobody@example.com' },
    ];
    const errors = await Promise.all(wrong.map((one) => fixture.logIn(one).catch((error: Error) => error.message)));
    expect(errors[0]).toBe(errors[1]);
    await expect(fixture.logIn(wrong[0]!)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test("emits session.failed in the user's workspace after each wrong password, even if the attempts are concurrent", async () => {
    const person = fixture.aPerson({ name: 'Wati' }, 'Teh');
    const { user } = await fixture.logIn(person);
    const client = { ip: '192.0.2.9', userAgent: 'curl' };
    const attempt = { email: person.email.toUpperCase(), password: 'wrong-password-1', client };
    const attempts = [1, 2].map(() => fixture.service.sessions.call('PasswordLogin', attempt, as()));
    for (const refused of await Promise.allSettled(attempts))
      expect(refused).toMatchObject({ reason: { code: 'UNAUTHENTICATED' } });
    const failed = () =>
      fixture.events.filter(({ type, target }) => type === 'session.failed' && target.id === user!.userId);
    await until(() => failed().length === 2);
    const event = { workspaceId: user!.workspaceId, actor: { name: 'Wati' }, ...client };
    expect(failed()).toMatchObject([event, event]);
    expect(JSON.stringify(failed())).not.toContain(attempt.password);
  });

  test.each([
    ['email', { email: 'nonsense', password: 'x' }],
    ['email', { email: '', password: 'x' }],
    ['password', { email: 'a@example.com', password: '' }],
    ['password', { email: 'a@example.com', password: 'x'.repeat(1_025) }],
  ])('rejects invalid input, naming %s', async (field, request) => {
    const refused = fixture.service.sessions.call('PasswordLogin', request, as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('creates no user if the provider fails', async () => {
    const person = fixture.aPerson();
    fixture.oidc.mode = 'failing';
    await expect(fixture.logIn(person)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(await fixture.userOf(person.sub)).toBeNull();
  });

  test('works with opaque access tokens too', async () => {
    fixture.oidc.opaqueTokens = true;
    const { secret } = await fixture.logIn(fixture.aPerson());
    expect(await fixture.authenticate(secret)).toMatchObject({ credentialKind: 'session' });
  });
});

describe('a sign-up', () => {
  const request = (overrides = {}) => ({
    email: `${Math.random()}@example.com`,
    password: 'long enough',
    name: 'Eka',
    ...overrides,
  });

  test('creates the user at the provider and opens a session, but is rejected if the email is taken', async () => {
    const client = { ip: '192.0.2.8', userAgent: 'Safari' };
    const wanted = request({ client });
    const { secret, user } = await fixture.service.sessions.call('SignUp', wanted, as());
    const person = fixture.oidc.people.find(({ email }) => email === wanted.email)!;
    expect(await fixture.sessionsOf(person.sub)).toMatchObject([client]);
    expect(user).toMatchObject({ email: wanted.email, name: 'Eka' });
    expect((await fixture.authenticate(secret)).userId).toBe(user!.userId);
    await expect(fixture.service.sessions.call('SignUp', wanted, as())).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'email',
    });
  });

  test.each([
    ['the account must be confirmed first', 'invalid_grant', 'UNAUTHENTICATED'],
    ['the provider does not support password sign-in', 'unauthorized_client', 'NOT_FOUND'],
    ['the sign-in fails', 'server_error', 'UPSTREAM_UNAVAILABLE'],
  ])('fails with an error that says that the account was created, if %s', async (_reason, error, code) => {
    fixture.oidc.passwordError = error;
    const wanted = request();
    const message = expect.stringMatching(/^The account was created/);
    const refused = fixture.service.sessions.call('SignUp', wanted, as());
    await expect(refused).rejects.toMatchObject({ code, message });
    expect(fixture.oidc.people.some(({ email }) => email === wanted.email)).toBe(true);
  });

  test.each([
    ['email', { email: 'nonsense' }],
    ['password', { password: 'short' }],
    ['password', { password: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\u0000b' }],
  ])('is rejected, naming %s', async (field, wrong) => {
    const refused = fixture.service.sessions.call('SignUp', request(wrong), as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field });
  });
});

test('a forgotten password is handled by the provider, and the response is the same for an unknown address', async () => {
  for (const email of [fixture.aPerson().email, 'nobody@example.com']) {
    expect(await fixture.service.sessions.call('ForgotPassword', { email }, as())).toEqual({});
  }
  const refused = fixture.service.sessions.call('ForgotPassword', { email: 'nonsense' }, as());
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'email' });
  expect(fixture.oidc.calls['forgot']).toBe(2);
});

describe('browser sign-in', () => {
  test('redirects to the provider and back, and opens a session', async () => {
    const person = fixture.aPerson({}, 'Kopi');
    const { callbackUrl, browserSecret, authorizationUrl } = await fixture.goToProvider(person.email, '/links?tag=a#b');
    const parameters = new URL(authorizationUrl).searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({ redirect_uri: redirectUri, code_challenge_method: 'S256' });
    const client = { ip: '192.0.2.9', userAgent: 'Edge' };
    const callback = { callbackUrl, browserSecret, client };
    const opened = await fixture.service.sessions.call('FinishLogin', callback, as());
    expect(opened).toMatchObject({ returnTo: '/links?tag=a#b', user: { email: person.email } });
    expect(await fixture.sessionsOf(person.sub)).toMatchObject([client]);
    expect((await fixture.authenticate(opened.secret)).userId).toBe(opened.user!.userId);
  });

  test('can be finished only once, even by concurrent calls', async () => {
    const { callbackUrl, browserSecret } = await fixture.goToProvider(fixture.aPerson().email);
    const tries = Array.from({ length: 5 }, () =>
      fixture.finish(callbackUrl, browserSecret).catch((error: { code: string }) => error.code),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'UNAUTHENTICATED')).toHaveLength(4);
  });

  test('is rejected in another browser', async () => {
    const attacker = await fixture.goToProvider(fixture.aPerson().email);
    const victim = await fixture.goToProvider(fixture.aPerson().email);
    for (const secret of [victim.browserSecret, '', 'x']) {
      await expect(fixture.finish(attacker.callbackUrl, secret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  test('is rejected after ten minutes', async () => {
    const { callbackUrl, browserSecret } = await fixture.goToProvider(fixture.aPerson().email);
    fixture.clock.aheadMs = 10 * 60_000;
    await expect(fixture.finish(callbackUrl, browserSecret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('is rejected if the user denied it', async () => {
    const { callbackUrl, browserSecret } = await fixture.goToProvider('');
    const message = expect.stringContaining('access_denied');
    await expect(fixture.finish(callbackUrl, browserSecret)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message,
    });
  });

  test('is rejected with the code of another sign-in, or without a valid state and code', async () => {
    const [mine, theirs] = [
      await fixture.goToProvider(fixture.aPerson().email),
      await fixture.goToProvider(fixture.aPerson().email),
    ];
    const mixed = new URL(mine.callbackUrl);
    mixed.searchParams.set('code', new URL(theirs.callbackUrl).searchParams.get('code')!);
    await expect(fixture.finish(mixed.href, mine.browserSecret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    for (const url of ['nonsense', redirectUri, `${redirectUri}?state=x&code=y`]) {
      await expect(fixture.finish(url, mine.browserSecret)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });

  test.each([
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    'evil',
    '/a\nb',
    '/\t/evil.test',
    `/${'x'.repeat(2_048)}`,
  ])('does not return to %j', async (returnTo) => {
    const refused = fixture.service.sessions.call('BeginLogin', { returnTo, redirectUri }, as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'returnTo' });
  });

  test.each([
    '',
    '/callback',
    'go.example.com',
    'ftp://go.example.com',
    'javascript:x//https://go.example.com',
    'https://',
  ])('does not ask the provider to redirect to %j', async (wrong) => {
    const refused = fixture.service.sessions.call('BeginLogin', { returnTo: '/', redirectUri: wrong }, as());
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', field: 'redirectUri' });
  });

  test('accepts an http redirect URI, and returns to the start page by default', async () => {
    const local = 'http://localhost:8080/api/v1/auth/callback';
    const started = await fixture.service.sessions.call('BeginLogin', { returnTo: '', redirectUri: local }, as());
    expect(new URL(started.authorizationUrl).searchParams.get('redirect_uri')).toBe(local);
    const person = fixture.aPerson();
    const { callbackUrl, browserSecret } = await fixture.goToProvider(person.email, '');
    expect(await fixture.finish(callbackUrl, browserSecret)).toMatchObject({ returnTo: '/' });
  });
});

test('returns the configuration for the device flow', async () => {
  const configuration = await fixture.service.identity.call('GetConfiguration', {}, as());
  expect(configuration).toMatchObject({
    issuer: fixture.oidc.url,
    deviceClientId: 'tautan-cli',
    tokenEndpoint: `${fixture.oidc.url}/token`,
    audience: AUDIENCE,
  });
});
