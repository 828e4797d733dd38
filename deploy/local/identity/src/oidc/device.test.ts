import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { Browser } from '../testing/browser.js';
import {
  audience,
  DEVICE_GRANT,
  discoverClient,
  password,
  refresh,
  scope,
  signUp,
  startProvider,
  stopProviders,
  tokenRequest,
  type Provider,
} from '../testing/running.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
  await signUp(provider.url, 'ada@example.com');
});
afterAll(stopProviders);

interface DeviceAuthorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
}

async function requestAuthorization(): Promise<DeviceAuthorization> {
  const response = await fetch(`${provider.url}/api/v1/oidc/device/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'tautan-cli', scope }),
    headers: { 'user-agent': 'tautan/1.0 <linux>' },
  });
  return (await response.json()) as DeviceAuthorization;
}

const poll = (code: string) =>
  tokenRequest(provider.url, { grant_type: DEVICE_GRANT, client_id: 'tautan-cli', device_code: code });

/** Approves the device and signs in, by default in a new browser. */
async function approve({ verification_uri_complete: url }: DeviceAuthorization, browser = new Browser(provider.url)) {
  const confirmation = await browser.open(url);
  const form = await browser.submit(confirmation);
  return browser.submit(form, { email: 'ada@example.com', password });
}

describe('a terminal', () => {
  test('behind a proxy is shown with its own IP address', async () => {
    const response = await fetch(`${provider.url}/api/v1/oidc/device/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'tautan-cli', scope }),
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    const { verification_uri_complete: url } = (await response.json()) as DeviceAuthorization;
    const { text } = await new Browser(provider.url).open(url);
    expect(text).toContain('203.0.113.9');
    expect(text).not.toContain('This computer');
  });

  test('receives a code, the lifetime of the code, the URL for its user and the polling interval', async () => {
    const device = await requestAuthorization();
    expect(device).toMatchObject({
      verification_uri: `${provider.url}/api/v1/oidc/device`,
      verification_uri_complete: `${provider.url}/api/v1/oidc/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 1,
    });
    expect(device.user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  });

  test('waits for the approval, then receives tokens that can be refreshed', async () => {
    const device = await requestAuthorization();
    expect((await poll(device.device_code)).body).toMatchObject({ error: 'authorization_pending' });
    expect((await approve(device)).text).toContain('You are signed in');
    const { body } = await poll(device.device_code);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope });
    expect(decodeJwt(body['access_token'] as string)).toMatchObject({ aud: audience, email: 'ada@example.com' });
    expect(body['id_token']).toBeDefined();
    const next = await refresh(provider.url, body['refresh_token'] as string, 'tautan-cli');
    expect(next.status).toBe(200);
    const replay = await refresh(provider.url, body['refresh_token'] as string, 'tautan-cli');
    expect(replay.body).toMatchObject({ error: 'invalid_grant' });
    const successor = await refresh(provider.url, next.body['refresh_token'] as string, 'tautan-cli');
    expect(successor.body).toMatchObject({ error: 'invalid_grant' });
  });

  test('that polls too often is slowed down by five seconds each time', async () => {
    const { device_code: code } = await requestAuthorization();
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const errors = [];
    // The initial interval is one second, and polls that are up to 250 ms early are tolerated.
    for (const seconds of [0, 0, 5.5, 10.5, 16]) {
      now += seconds * 1_000;
      errors.push((await poll(code)).body['error']);
    }
    clock.mockRestore();
    expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down', 'slow_down', 'authorization_pending']);
  });

  test('that polls with openid-client receives its tokens', async () => {
    const config = await discoverClient(provider.url, 'tautan-cli');
    const answer = await client.initiateDeviceAuthorization(config, { scope });
    const tokens = client.pollDeviceAuthorizationGrant(config, answer);
    await approve(answer as unknown as DeviceAuthorization);
    expect((await tokens).access_token).toBeDefined();
  });

  test('is rejected if the user denies the request', async () => {
    const device = await requestAuthorization();
    const browser = new Browser(provider.url);
    const confirmation = await browser.open(device.verification_uri_complete);
    expect((await browser.submit(confirmation, {}, 'abort=yes')).text).toContain('Sign-in denied');
    expect((await poll(device.device_code)).body).toMatchObject({ error: 'access_denied' });
  });

  test('receives its tokens at most once', async () => {
    const device = await requestAuthorization();
    await approve(device);
    const answers = await Promise.all([1, 2, 3].map(() => poll(device.device_code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await poll(device.device_code)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('the user', () => {
  test('sees the client and the account', async () => {
    const browser = new Browser(provider.url);
    await approve(await requestAuthorization(), browser);
    const device = await requestAuthorization();
    const { text } = await browser.open(device.verification_uri_complete);
    expect(text).toContain(device.user_code);
    expect(text).toContain('tautan/1.0 &lt;linux&gt;');
    expect(text).toContain('This computer');
    expect(text).toContain('ada@example.com');
    const done = await browser.submit({ url: device.verification_uri, status: 200, text, headers: new Headers() });
    expect(done.text).toContain('You are signed in');
  });

  test('can enter the code in lower case and with a space instead of the hyphen', async () => {
    const device = await requestAuthorization();
    const browser = new Browser(provider.url);
    const form = await browser.open(device.verification_uri);
    const typed = device.user_code.toLowerCase().replace('-', ' ');
    expect((await browser.submit(form, { user_code: typed })).text).toContain('Is this you?');
  });

  test.each([
    ['an unknown code', 'BBBB-BBBB', 'Unknown code'],
    ['no code', '', 'Enter the code shown in your terminal.'],
  ])('sees an error for %s, and can enter another code', async (_what, code, sentence) => {
    const browser = new Browser(provider.url);
    const answer = await browser.submit(await browser.open('/api/v1/oidc/device'), { user_code: code });
    expect(answer.text).toContain(sentence);
    const device = await requestAuthorization();
    expect((await browser.submit(answer, { user_code: device.user_code })).text).toContain('Is this you?');
  });

  test('cannot use a code twice', async () => {
    const device = await requestAuthorization();
    await approve(device);
    const browser = new Browser(provider.url);
    const answer = await browser.submit(await browser.open(device.verification_uri), { user_code: device.user_code });
    expect(answer.text).toContain('This code has already been used');
    expect((await poll(device.device_code)).status).toBe(200);
    const later = await browser.submit(await browser.open(device.verification_uri), { user_code: device.user_code });
    expect(later.text).toContain('This code has already been used');
  });
});

test('a code that is not approved in time expires', async () => {
  const short = await startProvider({ deviceCodeSeconds: 1 });
  const response = await fetch(`${short.url}/api/v1/oidc/device/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'tautan-cli', scope }),
  });
  const device = (await response.json()) as DeviceAuthorization;
  const form = { grant_type: DEVICE_GRANT, client_id: 'tautan-cli', device_code: device.device_code };
  await until(async () => (await tokenRequest(short.url, form)).body['error'] === 'expired_token');
  const browser = new Browser(short.url);
  const answer = await browser.submit(await browser.open(device.verification_uri), { user_code: device.user_code });
  expect(answer.text).toContain('This code has expired');
});
