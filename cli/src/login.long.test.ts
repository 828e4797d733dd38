import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { CredentialsFile } from './credentials/file.js';
import { startHandler } from './testing/handler.js';
import { API_KEY, SESSION, startService, type TestService } from './testing/service.js';
import { tautanAt, type Tautan } from './testing/tautan.js';

let service: TestService;
let tautan: Tautan;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  tautan = tautanAt(service.url);
  Object.assign(service.provider, { polls: [], polledAt: [], intervalS: 0.2, lifetimeS: 3_600, idTokenLifetimeS: 300 });
});
afterEach(() => tautan.remove());
afterAll(() => service.stop());

const stored = () => JSON.parse(readFileSync(join(tautan.configDir, 'credentials.json'), 'utf8')) as CredentialsFile;

describe('the device flow', () => {
  test('prints code and URL, waits for approval, and prints the session', async () => {
    service.provider.polls = ['authorization_pending'];
    const { code, stdout, stderr } = await tautan.run(['login']);
    expect(stderr).toContain('WDJB-MJHT');
    expect(stderr).toContain(`${service.url}/identity/activate?code=WDJB-MJHT`);
    expect(stdout).toContain('Signed in as Mira');
    expect(stdout).toContain('Acme');
    expect(code).toBe(0);
    expect(service.provider.polledAt).toHaveLength(2);
  });

  test('works with a service of an earlier version, which names no audience', async () => {
    const { configuration } = service.provider;
    const { audience: _, ...earlier } = configuration;
    service.provider.configuration = earlier;
    try {
      expect((await tautan.run(['login'])).code).toBe(0);
    } finally {
      service.provider.configuration = configuration;
    }
  });

  test('--json prints the session and nothing else on standard output', async () => {
    expect((await tautan.run(['login', '--json'])).json()).toEqual(SESSION);
  });

  test('polls at the interval and slows down by five seconds on slow_down', async () => {
    service.provider.polls = ['slow_down'];
    const started = Date.now();
    expect((await tautan.run(['login'])).code).toBe(0);
    const [first, second] = service.provider.polledAt as [number, number];
    expect(first - started).toBeGreaterThanOrEqual(200);
    expect(second - first).toBeGreaterThanOrEqual(5_100);
  });

  test.each(['cut', '429', '502', '504'])('keeps polling after a failed poll (%s)', async (failure) => {
    service.provider.polls = [failure];
    expect((await tautan.run(['login'])).code).toBe(0);
    expect(service.provider.polledAt).toHaveLength(2);
  });

  test('succeeds even if the clock of this machine is ahead, so that the ID token seems expired', async () => {
    service.provider.idTokenLifetimeS = -60;
    expect((await tautan.run(['login'])).code).toBe(0);
  });

  test('keeps polling after a poll without a response', async () => {
    service.provider.polls = ['stall'];
    expect((await tautan.run(['login'])).code).toBe(0);
    expect(service.provider.polledAt).toHaveLength(2);
  });

  test('exits with 5 if the device authorization endpoint does not respond', async () => {
    const stalled = await startHandler();
    stalled.hangs();
    service.queueResponses('GET /auth/configuration', {
      data: { ...service.provider.configuration, deviceAuthorizationEndpoint: stalled.url },
    });
    const { code, stderr } = await tautan.run(['login']);
    expect(stderr).toContain(`The request to ${new URL(stalled.url).host} timed out.`);
    expect(code).toBe(5);
    await stalled.stop();
  });

  test.each([
    ['access_denied', 'denied in the browser'],
    ['expired_token', 'not approved in time'],
  ])('exits with 3 and a message on %s, and stores nothing', async (error, message) => {
    service.provider.polls = [error];
    const { code, stderr } = await tautan.run(['login']);
    expect(stderr).toContain(message);
    expect(code).toBe(3);
    expect(existsSync(tautan.configDir)).toBe(false);
  });

  test('opens the URL in the browser unless --no-browser is set', async () => {
    const browser = join(tautan.home, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> ${browser}.log\n`);
    chmodSync(browser, 0o755);
    await tautan.run(['login', '--no-browser'], { env: { BROWSER: browser } });
    await tautan.run(['login'], { env: { BROWSER: browser } });
    await eventually(() =>
      expect(readFileSync(`${browser}.log`, 'utf8')).toBe(`${service.url}/identity/activate?code=WDJB-MJHT\n`),
    );
  });

  test('works without a browser', async () => {
    expect((await tautan.run(['login'], { env: { BROWSER: '/nowhere/browser' } })).code).toBe(0);
    expect((await tautan.run(['login'], { env: { DISPLAY: ':99', PATH: '/nowhere' } })).code).toBe(0);
  });

  test('Ctrl-C while waiting exits with 130', async () => {
    service.provider.intervalS = 60;
    const login = tautan.start(['login']);
    await eventually(() => expect(login.stderr()).toContain('Waiting'));
    login.kill('SIGINT');
    expect((await login.ended).code).toBe(130);
  });

  test('suggests an API key if the service does not support signing in from a terminal', async () => {
    const { deviceClientId: _, ...rest } = service.provider.configuration as Record<string, string>;
    service.queueResponses('GET /auth/configuration', { data: { ...rest, deviceClientId: null } });
    const { code, stderr } = await tautan.run(['login']);
    expect(stderr).toContain('--api-key -');
    expect(code).toBe(1);
  });
});

describe('credentials', () => {
  test('are in a file of mode 600 in a folder of mode 700, with no other files', async () => {
    await tautan.run(['login']);
    expect(statSync(tautan.configDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(tautan.configDir, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(tautan.configDir)).toEqual(['credentials.json']);
  });

  test('are stored in XDG_CONFIG_HOME/tautan or ~/.config/tautan', async () => {
    const env = { TAUTAN_CONFIG_DIR: '', XDG_CONFIG_HOME: join(tautan.home, 'xdg') };
    await tautan.run(['login'], { env });
    expect(existsSync(join(tautan.home, 'xdg', 'tautan', 'credentials.json'))).toBe(true);
    await tautan.run(['login'], { env: { TAUTAN_CONFIG_DIR: '' } });
    expect(existsSync(join(tautan.home, '.config', 'tautan', 'credentials.json'))).toBe(true);
  });

  test('are keyed by service URL, and the service of the last login is the default', async () => {
    const other = await startService();
    await tautan.run(['login']);
    await tautan.run(['login', '--url', `${other.url}/`]);
    expect(Object.keys(stored().profiles)).toEqual([service.url, other.url]);
    await tautan.run(['whoami'], { env: { TAUTAN_URL: '' } });
    expect(other.requests.at(-1)!.path).toBe('/auth/session');
    const before = other.requests.length;
    await tautan.run(['whoami', '--url', service.url], { env: { TAUTAN_URL: other.url } });
    expect(other.requests).toHaveLength(before);
    await other.stop();
  });

  test('in an invalid file: the error names the file, and the file is left unchanged', async () => {
    await tautan.run(['login']);
    const path = join(tautan.configDir, 'credentials.json');
    writeFileSync(path, '{"version": 1, "prof');
    const { code, stderr } = await tautan.run(['whoami']);
    expect(stderr).toContain(path);
    expect(code).toBe(3);
    expect(readFileSync(path, 'utf8')).toBe('{"version": 1, "prof');
  });
});

describe('an API key', () => {
  test('is read from standard input, verified and stored', async () => {
    const { code, stdout } = await tautan.run(['login', '--api-key', '-'], { input: `${API_KEY}\n` });
    expect(stdout).toContain('with the API key CI');
    expect(code).toBe(0);
    expect((await tautan.run(['whoami', '--json'])).json()).toMatchObject({ user: null });
  });

  test('that the service rejects is not stored', async () => {
    const { code } = await tautan.run(['login', '--api-key', '-'], { input: 'tau_live_wrong' });
    expect(code).toBe(3);
    expect(existsSync(tautan.configDir)).toBe(false);
  });

  test('on the command line is rejected', async () => {
    const { code, stderr } = await tautan.run(['login', '--api-key', API_KEY]);
    expect(code).toBe(2);
    expect(stderr).not.toContain(API_KEY);
  });

  test('that is missing on standard input is a usage error', async () => {
    expect((await tautan.run(['login', '--api-key', '-'])).code).toBe(2);
  });

  test('in TAUTAN_API_KEY takes precedence over stored credentials', async () => {
    await tautan.run(['login']);
    await tautan.run(['whoami'], { env: { TAUTAN_API_KEY: API_KEY } });
    expect(service.requests.at(-1)!.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });
});

describe('signing out', () => {
  test('revokes the refresh token at the provider and keeps only the URL', async () => {
    await tautan.run(['login']);
    const { refreshToken } = stored().profiles[service.url]!.tokens!;
    expect((await tautan.run(['logout'])).code).toBe(0);
    expect(service.provider.revoked).toContain(refreshToken);
    expect(stored()).toEqual({ version: 1, current: service.url, profiles: { [service.url]: {} } });
    expect((await tautan.run(['whoami'])).code).toBe(3);
    expect((await tautan.run(['login'], { env: { TAUTAN_URL: '' } })).code).toBe(0);
    expect(Object.keys(stored().profiles)).toEqual([service.url]);
  });

  test('works with a provider that serves its discovery document only below /api/v1/oidc', async () => {
    service.provider.standardDiscovery = 'null';
    await tautan.run(['login']);
    const { refreshToken } = stored().profiles[service.url]!.tokens!;
    expect((await tautan.run(['logout'])).stderr).toBe('');
    expect(service.provider.revoked).toContain(refreshToken);
    service.provider.standardDiscovery = 'document';
  });

  test('does not sign out of other services', async () => {
    const other = await startService();
    await tautan.run(['login']);
    await tautan.run(['login', '--url', other.url]);
    await tautan.run(['logout', '--url', other.url]);
    expect(stored().profiles).toEqual({
      [service.url]: expect.objectContaining({ tokens: expect.anything() }),
      [other.url]: {},
    });
    expect(stored().current).toBe(other.url);
    await other.stop();
  });

  test('succeeds locally with a warning if the provider is unavailable', async () => {
    const other = await startService();
    await tautan.run(['login', '--url', other.url]);
    await other.stop();
    const { code, stderr } = await tautan.run(['logout', '--url', other.url]);
    expect(stderr).toContain('could not be revoked');
    expect(code).toBe(0);
    expect(stored().profiles).toEqual({ [other.url]: {} });
  });

  test('prints a notice if nobody is signed in', async () => {
    expect((await tautan.run(['logout'])).stdout).toContain('You were not signed in');
  });
});

describe('profiles', () => {
  let other: TestService;
  beforeEach(async () => {
    other = await startService();
    await tautan.run(['login', '--profile', 'home', '--url', service.url]);
    await tautan.run(['login', '--profile', 'work', '--url', other.url]);
  });
  afterEach(() => other.stop());
  const env = { TAUTAN_URL: '' };
  const run = (...args: string[]) => tautan.run(args, { env });

  test('are listed with their URLs, and the last login is current', async () => {
    expect((await run('profiles', 'list', '--json')).json()).toEqual([
      { name: 'home', url: service.url, current: false, credential: 'user' },
      { name: 'work', url: other.url, current: true, credential: 'user' },
    ]);
    expect((await run('profiles', 'list')).stdout).toMatch(/^● {2}work +http\S+ +signed in$/m);
  });

  test('--profile and TAUTAN_PROFILE select a profile for one command, `profiles use` for all later ones', async () => {
    const homeRequests = () => service.requests.length;
    const workRequests = () => other.requests.length;
    let before = homeRequests();
    await run('whoami', '--profile', 'home');
    await tautan.run(['whoami'], { env: { ...env, TAUTAN_PROFILE: 'home' } });
    expect(homeRequests()).toBe(before + 2);
    before = workRequests();
    await run('whoami');
    expect(workRequests()).toBe(before + 1);
    const overridden = await tautan.run(['profiles', 'use', 'home'], { env: { ...env, TAUTAN_PROFILE: 'work' } });
    expect(overridden.stderr).toBe('! TAUTAN_PROFILE is set and takes precedence.\n');
    expect(await run('profiles', 'use', 'home')).toMatchObject({ stdout: `✓ Using ${service.url}\n`, stderr: '' });
    before = homeRequests();
    await run('whoami');
    expect(homeRequests()).toBe(before + 1);
  });

  test('get the name in TAUTAN_PROFILE at login, unless they already have a name', async () => {
    const named = { env: { ...env, TAUTAN_PROFILE: 'office' }, input: API_KEY };
    const loginAndName = async () => {
      const { code } = await tautan.run(['login', '--api-key', '-', '--url', other.url], named);
      return [code, stored().profiles[other.url]!.name];
    };
    expect(await loginAndName()).toEqual([0, 'work']);
    await run('profiles', 'remove', 'work', '--yes');
    expect(await loginAndName()).toEqual([0, 'office']);
    expect((await tautan.run(['whoami'], named)).code).toBe(0);
  });

  test('keep their name if TAUTAN_PROFILE differs at login; new profiles cannot take the name of another', async () => {
    const taken = { env: { ...env, TAUTAN_PROFILE: 'home' }, input: API_KEY };
    const login = () => tautan.run(['login', '--api-key', '-', '--url', other.url], taken);
    expect((await login()).code).toBe(0);
    expect(stored().profiles[other.url]!.name).toBe('work');
    await run('profiles', 'remove', 'work', '--yes');
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([
      2,
      `✗ The profile home belongs to ${service.url}.\n  Choose another name with --profile.\n`,
    ]);
  });

  test('can be listed and selected, and completion works, even with an unknown TAUTAN_PROFILE or an invalid TAUTAN_URL', async () => {
    const none = { env: { ...env, TAUTAN_PROFILE: 'none' } };
    expect((await tautan.run(['profiles', 'list'], none)).code).toBe(0);
    expect((await tautan.run(['profiles', 'use', 'home'], none)).code).toBe(0);
    expect((await tautan.run(['completion', 'bash'], none)).code).toBe(0);
    expect((await tautan.run(['profiles', 'list'], { env: { TAUTAN_URL: 'ftp://x' } })).code).toBe(0);
    const { code, stderr } = await run('whoami', '--profile', 'none');
    expect([code, stderr]).toEqual([2, '✗ No profile found: none.\n  See: tautan profiles list\n']);
    writeFileSync(join(tautan.configDir, 'credentials.json'), '{');
    expect((await run('completion', 'bash')).code).toBe(0);
  });

  test('that are given on the command line are included in hints', async () => {
    await run('logout', '--profile', 'work');
    const { code, stderr } = await run('whoami', '--profile', 'work');
    expect([code, stderr]).toEqual([3, '✗ You are not signed in.\n  Sign in with: tautan --profile work login\n']);
    expect((await run('profiles', 'list')).stdout).toMatch(/work +http\S+ +signed out$/m);
    expect((await run('login', '--profile', 'work')).code).toBe(0);
  });

  test('are removed, and their sign-in is revoked', async () => {
    const { refreshToken } = stored().profiles[other.url]!.tokens!;
    expect((await run('profiles', 'remove', 'work', '--yes')).code).toBe(0);
    expect(other.provider.revoked).toContain(refreshToken);
    expect(Object.keys(stored().profiles)).toEqual([service.url]);
  });

  test('that do not exist or belong to another service are reported', async () => {
    expect(await run('whoami', '--profile', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No profile found: nobody.'),
    });
    expect((await run('profiles', 'use', 'nobody')).code).toBe(4);
    const before = other.requests.length;
    const taken = await run('login', '--profile', 'home', '--url', other.url);
    expect(other.requests).toHaveLength(before);
    expect(taken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`The profile home belongs to ${service.url}.`),
    });
  });
});
