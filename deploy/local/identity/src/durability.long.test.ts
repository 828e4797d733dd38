import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@tautan/kit/testing';
import { Browser } from './testing/browser.js';
import {
  api,
  DEVICE_GRANT,
  discoverClient,
  password,
  authorizeUrl,
  redirectUri,
  refresh,
  scope,
  signUp,
  startProvider,
  stopProviders,
  tokenRequest,
  tokensOf,
} from './testing/running.js';

const root = mkdtempSync(join(tmpdir(), 'tautan-identity-kill-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await stopProviders();
});

/** Starts a provider in a separate process. */
async function serve(port: number, dataDir: string): Promise<ChildProcess> {
  const entry = join(import.meta.dirname, 'testing', 'serve.fixture.js');
  const child = spawn(process.execPath, [entry, `${port}`, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  running.push(child);
  await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a kill at any moment', () => {
  test('loses no acknowledged account, no token and no sign-in in progress', async () => {
    const [port, dataDir] = [await freePort(), join(root, 'people')];
    const url = `http://localhost:${port}`;
    let child = await serve(port, dataDir);
    const acknowledged: string[] = [];
    const signUps = Array.from({ length: 40 }, (_, i) => `p${i}@example.com`).map((email) =>
      signUp(url, email).then(
        () => void acknowledged.push(email),
        () => undefined,
      ),
    );
    await Promise.any(signUps);
    await kill(child);
    await Promise.all(signUps);
    expect(acknowledged.length).toBeGreaterThan(0);

    child = await serve(port, dataDir);
    const tokens = await Promise.all(acknowledged.map((email) => tokensOf(url, email)));
    const browser = new Browser(url);
    const form = await browser.open(authorizeUrl(url));
    await kill(child);

    child = await serve(port, dataDir);
    for (const { access_token: token } of tokens)
      expect((await api(url, 'GET /api/v1/workspaces', { token })).body['data']).toHaveLength(1);
    expect((await refresh(url, tokens[0]!.refresh_token)).status).toBe(200);
    expect((await refresh(url, tokens[0]!.refresh_token)).status).toBe(400);
    const back = await browser.submit(form, { email: acknowledged[0]!, password });
    expect(back.url).toContain(`${redirectUri}?code=`);
    await kill(child);
  });

  test('loses no revocation and no approval of a device', async () => {
    const [port, dataDir] = [await freePort(), join(root, 'device')];
    const url = `http://localhost:${port}`;
    let child = await serve(port, dataDir);
    await signUp(url, 'ada@example.com');
    const { refresh_token: first } = await tokensOf(url, 'ada@example.com');
    const { body } = await refresh(url, first);
    // Reusing a refresh token revokes its whole family.
    await refresh(url, first);
    const device = (await (
      await fetch(`${url}/api/v1/oidc/device/authorize`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'tautan-cli', scope }),
      })
    ).json()) as { device_code: string; verification_uri_complete: string };
    const browser = new Browser(url);
    const signIn = await browser.submit(await browser.open(device.verification_uri_complete));
    await kill(child);

    child = await serve(port, dataDir);
    expect((await refresh(url, body['refresh_token'] as string)).status).toBe(400);
    const done = await browser.submit(signIn, { email: 'ada@example.com', password });
    expect(done.text).toContain('You are signed in');
    await kill(child);

    await serve(port, dataDir);
    const form = { grant_type: DEVICE_GRANT, client_id: 'tautan-cli', device_code: device.device_code };
    expect((await tokenRequest(url, form)).status).toBe(200);
  });
});

test('the signing keys survive a restart, and other system users can read neither the keys nor the data', async () => {
  const provider = await startProvider();
  await signUp(provider.url, 'ada@example.com');
  const { access_token: token } = await tokensOf(provider.url, 'ada@example.com');
  await provider.restart();
  expect((await api(provider.url, 'GET /api/v1/workspaces', { token })).status).toBe(200);
  for (const name of ['keys.json', 'identity.log']) expect(statSync(join(provider.dataDir, name)).mode & 0o077).toBe(0);
});

/** Returns every string within a JSON value, and every part of these strings that could be a credential. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[/?&=.]/).filter((part) => part.length >= 8)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [...textsOf(key), ...textsOf(one)]);
}

test('no string of the data file is a valid credential', async () => {
  // The test tries every string as every kind of credential, so it needs a high rate limit.
  const provider = await startProvider({ requestsPerMinute: 1_000_000 });
  const { url } = provider;
  await signUp(url, 'ada@example.com');
  const { refresh_token: token } = await tokensOf(url, 'ada@example.com');
  await refresh(url, token);
  const browser = new Browser(url);
  const back = await browser.submit(await browser.open(authorizeUrl(url)), { email: 'ada@example.com', password });
  const code = new URL(back.url).searchParams.get('code')!;
  await browser.open(authorizeUrl(url).replace('scope=', 'prompt=login&scope='));
  const device = (await (
    await fetch(`${url}/api/v1/oidc/device/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'tautan-cli', scope }),
    })
  ).json()) as { device_code: string; user_code: string; verification_uri_complete: string };
  await api(url, 'POST /api/v1/people/forgot-password', { body: { email: 'ada@example.com' } });

  // A sign-in in progress for the approval of a device. Its state contains the device code.
  const approving = new Browser(url);
  await approving.submit(await approving.open(device.verification_uri_complete));

  const file = readFileSync(join(provider.dataDir, 'identity.log'), 'latin1');
  const given = [token, code, device.device_code, device.user_code.replace('-', ''), password];
  for (const secret of [...given, ...browser.cookies, ...approving.cookies]) expect(file).not.toContain(secret);
  const changes = [...file.matchAll(/\[\[".*?\]\](?=[^"\]]|$)/gs)].map(([text]) => JSON.parse(text) as unknown);
  expect(changes.length).toBeGreaterThan(8);
  const texts = [...new Set(textsOf(changes))].filter((text) => text.length >= 8);
  expect(texts.length).toBeGreaterThan(40);
  const client = { client_id: 'tautan' };
  const cookie = `tautan_identity_${provider.port}`;
  for (const text of texts) {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const responses = await Promise.all([
      refresh(url, text),
      tokenRequest(url, {
        ...client,
        grant_type: 'authorization_code',
        code: text,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
      tokenRequest(url, { client_id: 'tautan-cli', grant_type: DEVICE_GRANT, device_code: text }),
      api(url, 'GET /api/v1/workspaces', { token: encodeURIComponent(text) }),
    ]);
    expect([text, ...responses.map(({ status }) => status)]).toEqual([text, 400, 400, 400, 401]);
    // A pending device code would also be answered with 400.
    expect([text, responses[2].body['error']]).toEqual([text, 'invalid_grant']);
    const asSession = await fetch(authorizeUrl(url), {
      redirect: 'manual',
      headers: { cookie: `${cookie}_session=${encodeURIComponent(text)}; ${cookie}_session.sig=x` },
    });
    expect([text, new URL(asSession.headers.get('location')!, url).origin]).toEqual([text, url]);
    const reset = await fetch(`${url}/reset-password?token=${encodeURIComponent(text)}`);
    expect([text, reset.status]).toEqual([text, 400]);
  }
  // The provider still works and the device code is still valid, so the test would have failed if the file contained
  // the code.
  expect((await discoverClient(url)).serverMetadata().issuer).toBe(url);
  const pending = { client_id: 'tautan-cli', grant_type: DEVICE_GRANT, device_code: device.device_code };
  expect((await tokenRequest(url, pending)).body['error']).toBe('authorization_pending');
});
