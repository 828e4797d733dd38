import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { storedCredential } from './credentials/credential.js';
import type { CredentialsFile, Tokens } from './credentials/file.js';
import { credentialStore } from './credentials/store.js';
import { SESSION, startService, type TestService } from './testing/service.js';
import { tautanAt, type Tautan } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  tautan = tautanAt(service.url);
  Object.assign(service.provider, {
    refreshes: 0,
    replays: 0,
    refreshMs: 0,
    idTokenLifetimeS: 300,
    onRefresh: undefined,
  });
  expect((await tautan.run(['login'])).code).toBe(0);
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const path = () => join(tautan.configDir, 'credentials.json');
const read = () => JSON.parse(readFileSync(path(), 'utf8')) as CredentialsFile;
const tokens = () => read().profiles[service.url]!.tokens!;
const setTokens = (change: Partial<Tokens>) => {
  const file = read();
  Object.assign(file.profiles[service.url]!.tokens!, change);
  writeFileSync(path(), JSON.stringify(file));
};
/** Expires the access token, both at the service and in the credentials file, as if an hour had passed. */
const anHourLater = () => {
  service.provider.expireAll();
  setTokens({ refreshAt: new Date(Date.now() - 1_000).toISOString() });
};

describe('an expired access token', () => {
  test('is refreshed, and the refresh token is rotated', async () => {
    const before = tokens();
    anHourLater();
    expect((await tautan.run(['whoami', '--json'])).json()).toEqual(SESSION);
    expect(tokens().refreshToken).not.toBe(before.refreshToken);
    expect(tokens().accessToken).not.toBe(before.accessToken);
    expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
  });

  test('is refreshed if only the service reports it as expired', async () => {
    service.provider.expireAll();
    expect((await tautan.run(['whoami'])).code).toBe(0);
    expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
  });

  test('is refreshed once by ten concurrent processes, which all succeed', async () => {
    service.provider.refreshMs = 300;
    anHourLater();
    const runs = await Promise.all(Array.from({ length: 10 }, () => tautan.run(['whoami', '--json'])));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(10).fill({ code: 0, stderr: '' }));
    expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
  });

  test('that only the service reports as expired is refreshed once by ten processes', async () => {
    service.provider.refreshMs = 300;
    service.provider.expireAll();
    const runs = await Promise.all(Array.from({ length: 10 }, () => tautan.run(['whoami'])));
    expect(runs.map(({ code }) => code)).toEqual(Array(10).fill(0));
    expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
  });

  test('that another process has refreshed is refreshed again if the new token has expired too', async () => {
    const credential = storedCredential(credentialStore(tautan.configDir), service.url);
    const own = await credential();
    anHourLater();
    await tautan.run(['whoami']);
    const { accessToken: replacement } = tokens();
    expect(await credential(own)).toBe(replacement);
    anHourLater();
    await tautan.run(['whoami']);
    anHourLater();
    const used = await credential(replacement);
    expect(service.provider.accessToken(used!)).toBe('valid');
    expect(service.provider).toMatchObject({ refreshes: 3, replays: 0 });
  });

  test('is refreshed on a machine whose clock is ahead, where the ID token seems expired', async () => {
    service.provider.idTokenLifetimeS = -60;
    anHourLater();
    expect((await tautan.run(['whoami'])).code).toBe(0);
    anHourLater();
    expect((await tautan.run(['whoami'])).code).toBe(0);
    expect(service.provider).toMatchObject({ refreshes: 2, replays: 0 });
  });

  test('is replaced in the file before the new token is used', async () => {
    anHourLater();
    let inFile: string | undefined;
    service.on('GET /tags', ({ headers }) => {
      inFile = `Bearer ${tokens().accessToken}`;
      return { data: inFile === headers.authorization ? [] : null };
    });
    expect((await tautan.run(['tags', 'list', '--json'])).json()).toEqual([]);
    expect(service.provider.refreshes).toBe(1);
  });

  test('is refreshed once for two commands, even if the new token is valid for only 20 seconds', async () => {
    service.provider.lifetimeS = 20;
    anHourLater();
    await tautan.run(['whoami']);
    await tautan.run(['whoami']);
    expect(service.provider.refreshes).toBe(1);
    service.provider.lifetimeS = 3_600;
  });
});

describe('a session', () => {
  test('that has ended makes commands exit with 3 and suggest signing in; its refresh token is not presented again', async () => {
    setTokens({ refreshToken: 'refresh-of-nobody' });
    anHourLater();
    let presented = 0;
    service.provider.onRefresh = () => presented++;
    const { code, stderr } = await tautan.run(['whoami']);
    expect(stderr).toContain('tautan login');
    expect(code).toBe(3);
    expect((await tautan.run(['whoami'])).code).toBe(3);
    expect(presented).toBe(1);
  });

  test('is ended for all processes by a reused refresh token', async () => {
    const first = tokens();
    anHourLater();
    await tautan.run(['whoami']);
    const second = tokens();
    setTokens({ refreshToken: first.refreshToken });
    anHourLater();
    expect((await tautan.run(['whoami'])).code).toBe(3);
    expect(service.provider.replays).toBe(1);
    writeFileSync(
      path(),
      JSON.stringify({ version: 1, current: service.url, profiles: { [service.url]: { tokens: second } } }),
    );
    anHourLater();
    expect((await tautan.run(['whoami'])).code).toBe(3);
  });

  test('is kept while the provider is unavailable; commands exit with 5', async () => {
    const before = tokens();
    setTokens({ tokenEndpoint: 'http://127.0.0.1:9/token' });
    anHourLater();
    expect((await tautan.run(['whoami'])).code).toBe(5);
    expect(tokens().refreshToken).toBe(before.refreshToken);
    setTokens({ tokenEndpoint: before.tokenEndpoint });
    expect((await tautan.run(['whoami'])).code).toBe(0);
  });
});

describe('a refresh that the provider rejects', () => {
  test.each([
    [429, 'too_many_requests'],
    [401, 'invalid_client'],
    [400, 'unauthorized_client'],
  ])('with %d %s keeps the sign-in; the command exits with 5', async (status, error) => {
    const before = tokens();
    service.provider.refreshErrors = [{ status, error }];
    anHourLater();
    const { code, stderr } = await tautan.run(['whoami']);
    expect([code, stderr]).toEqual([5, `✗ The identity provider did not renew the sign-in (${error}).\n`]);
    expect(tokens().refreshToken).toBe(before.refreshToken);
    expect((await tautan.run(['whoami'])).code).toBe(0);
  });
});

describe('the lock', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is kept until the new tokens are stored if %s arrives during a refresh',
    async (signal) => {
      anHourLater();
      service.provider.refreshMs = 500;
      const run = tautan.start(['whoami']);
      const files = new Promise<string[]>((resolve) => {
        service.provider.onRefresh = () => {
          run.kill(signal);
          // Before the provider responds.
          setTimeout(() => resolve(readdirSync(tautan.configDir)), 400);
        };
      });
      expect(await files).toContain('credentials.json.lock');
      expect((await run.ended).code).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
      expect(readdirSync(tautan.configDir)).toEqual(['credentials.json']);
      service.provider.onRefresh = undefined;
      expect((await tautan.run(['whoami'])).code).toBe(0);
      expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
    },
  );

  test('of a killed process is taken over by one of ten other processes', async () => {
    anHourLater();
    service.provider.refreshMs = 5_000;
    const killed = tautan.start(['whoami']);
    let arrived = false;
    service.provider.onRefresh = () => (arrived = true);
    await eventually(() => expect(arrived).toBe(true));
    service.provider.refreshMs = 300;
    killed.kill('SIGKILL');
    await killed.ended;
    expect(readdirSync(tautan.configDir)).toContain('credentials.json.lock');
    const runs = await Promise.all(Array.from({ length: 10 }, () => tautan.run(['whoami'])));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(10).fill({ code: 0, stderr: '' }));
    expect(service.provider).toMatchObject({ refreshes: 1, replays: 0 });
    expect(readdirSync(tautan.configDir)).toEqual(['credentials.json']);
  });

  test.each([
    ['is older than two minutes', { pid: process.pid, host: hostname(), at: Date.now() - 121_000, nonce: 'a' }],
    ['belongs to a dead process', { pid: 2 ** 22 - 1, host: hostname(), at: Date.now(), nonce: 'b' }],
  ])('is taken over when it %s', async (_how, holder) => {
    anHourLater();
    writeFileSync(`${path()}.lock`, JSON.stringify(holder));
    expect((await tautan.run(['whoami'])).code).toBe(0);
    expect(readdirSync(tautan.configDir)).toEqual(['credentials.json']);
  });

  test('of a running process is waited for', async () => {
    anHourLater();
    const holder = { pid: process.pid, host: hostname(), at: Date.now(), nonce: 'c' };
    writeFileSync(`${path()}.lock`, JSON.stringify(holder));
    const run = tautan.start(['whoami']);
    const state = await Promise.race([run.ended, new Promise((resolve) => setTimeout(resolve, 1_500, 'waiting'))]);
    expect(state).toBe('waiting');
    expect(service.provider.refreshes).toBe(0);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });
});
