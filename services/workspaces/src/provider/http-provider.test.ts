import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import { Adapter } from '../testing/adapter.js';
import { AUDIENCE, CLIENT } from '../testing/oidc.js';

let adapter: Adapter;
beforeEach(async () => {
  adapter = await Adapter.start();
});
afterEach(() => adapter.stop());

describe('discovery', () => {
  test('tries the well-known path below the URL, and then below /api/v1/oidc', async () => {
    adapter.server.discoveryPrefix = 'api/v1/oidc/';
    expect(await adapter.provider.configuration()).toMatchObject({ issuer: adapter.server.url });
  });

  test('fails at a URL without a provider', async () => {
    const misconfigured = adapter.connect({ IDENTITY_URL: `${adapter.server.url}/nowhere` });
    await expect(misconfigured.configuration()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });

  test('is repeated in the background after an hour, while the old document remains in use', async () => {
    const discoveries = () => adapter.server.calls['.well-known/openid-configuration'];
    await adapter.provider.configuration();
    adapter.aheadMs += 3_599_000;
    await adapter.provider.configuration();
    expect(discoveries()).toBe(1);
    adapter.server.mode = 'failing';
    adapter.aheadMs += 2_000;
    expect(await adapter.provider.configuration()).toMatchObject({ issuer: adapter.server.url });
    await until(() => discoveries() === 2);
    expect(await adapter.provider.configuration()).toMatchObject({ issuer: adapter.server.url });
  });

  test('does not override a configured issuer', async () => {
    const named = adapter.connect({ IDENTITY_ISSUER: 'https://login.tautan.test/' });
    expect(await named.verify(await adapter.server.token({ iss: 'https://login.tautan.test/' }))).toMatchObject({
      issuer: 'https://login.tautan.test/',
    });
    await expect(named.verify(await adapter.server.token())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('a refresh', () => {
  test('has a longer timeout than other calls, because the provider may already have rotated the token', async () => {
    const impatient = adapter.connect({ IDENTITY_TIMEOUT_MS: '300' });
    const person = adapter.server.addPerson();
    const { refreshToken } = await adapter.provider.passwordLogin(person.email, person.password);
    adapter.server.refreshMs = 1_000;
    const { accessToken } = await impatient.refresh(refreshToken!);
    expect(await impatient.verify(accessToken)).toMatchObject({ subject: person.sub });
  });

  test.each([
    ['400', false],
    ['401 and a challenge', true],
  ])('that the provider rejects with %s is UNAUTHENTICATED, like a rejected sign-in', async (_, challenges) => {
    adapter.server.challenges = challenges;
    await expect(adapter.provider.refresh('x')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const { email } = adapter.server.addPerson();
    await expect(adapter.provider.passwordLogin(email, 'x')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

test('every call to the provider is measured, by purpose and outcome', async () => {
  const person = adapter.server.addPerson();
  await adapter.provider.passwordLogin(person.email, person.password);
  await expect(adapter.provider.passwordLogin(person.email, 'wrong')).rejects.toThrow();
  adapter.server.mode = 'failing';
  await expect(adapter.provider.passwordLogin(person.email, person.password)).rejects.toThrow();
  const metrics = await adapter.registry.metrics();
  for (const outcome of ['ok', 'refused', 'failed']) {
    expect(metrics).toContain(
      `tautan_identity_provider_request_duration_seconds_count{call="password",outcome="${outcome}"} 1`,
    );
  }
});

test('secrets are never logged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-log-'));
  const file = await open(join(folder, 'log'), 'w');
  const verbose = adapter.connect({}, createLog('test', 'trace', file.fd));
  const person = adapter.server.addPerson();
  const { refreshToken } = await verbose.passwordLogin(person.email, person.password);
  const failures: Record<string, unknown>[] = [
    { access_token: undefined },
    { id_token: 'not-a-token' },
    { id_token: await adapter.server.token({ aud: 'x' }) },
    { token_type: 7 },
    { expires_in: 'soon' },
  ];
  for (const tokenOverrides of failures) {
    adapter.server.tokenOverrides = tokenOverrides;
    await expect(verbose.passwordLogin(person.email, person.password)).rejects.toThrow();
  }
  adapter.server.mode = 'failing';
  await expect(verbose.refresh(refreshToken!)).rejects.toThrow();
  await expect(verbose.verify(refreshToken!)).rejects.toThrow();
  await file.close();
  const logged = await readFile(join(folder, 'log'), 'utf8');
  await rm(folder, { recursive: true });
  expect(logged.split('\n').length).toBeGreaterThan(5);
  const secrets = [person.password, CLIENT.secret, ...adapter.server.secrets];
  expect(secrets.filter((secret) => logged.includes(secret) || logged.includes(encodeURIComponent(secret)))).toEqual(
    [],
  );
});

describe('an unavailable provider', () => {
  test('is not called for five seconds after five failures', async () => {
    adapter.server.mode = 'down';
    for (let i = 0; i < 20; i += 1) {
      await expect(adapter.provider.forgotPassword('a@example.com')).rejects.toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
      });
    }
    expect(adapter.server.calls['forgot']).toBe(5);
    adapter.server.mode = 'up';
    adapter.aheadMs += 5_001;
    await adapter.provider.forgotPassword('a@example.com');
  });

  test('is asked for its discovery document again at the next use', async () => {
    adapter.server.mode = 'down';
    await expect(adapter.provider.configuration()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    adapter.server.mode = 'up';
    expect(await adapter.provider.configuration()).toEqual({
      issuer: adapter.server.url,
      deviceAuthorizationEndpoint: `${adapter.server.url}/device`,
      tokenEndpoint: `${adapter.server.url}/token`,
      deviceClientId: 'tautan-cli',
      scope: 'openid profile email offline_access',
      audience: AUDIENCE,
    });
  });

  test('is distinguished from a provider that rejects our client secret: the latter is still called', async () => {
    const misconfigured = adapter.connect({ IDENTITY_CLIENT_SECRET: 'wrong' });
    for (let i = 0; i < 10; i += 1) {
      await expect(misconfigured.refresh('x')).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    }
    expect(adapter.server.calls['token']).toBe(10);
  });
});
