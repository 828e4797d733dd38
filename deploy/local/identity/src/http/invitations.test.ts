import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Browser, type BrowserPage } from '../testing/browser.js';
import { api, password, signUp, startProvider, stopProviders, tokensOf, type Provider } from '../testing/running.js';

const DAY_MS = 86_400_000;
let provider: Provider;
/** Offset of the provider's clock in ms. */
let clockOffsetMs = 0;
beforeAll(async () => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + clockOffsetMs);
  provider = await startProvider();
});
afterAll(stopProviders);
afterEach(() => void (clockOffsetMs = 0));

let people = 0;
const anAddress = (): string => `person-${(people += 1)}@example.com`;

/** Signs up from another machine, so that the email address is not verified. */
async function signUpRemotely(email: string, url = provider.url): Promise<void> {
  const response = await fetch(`${url}/api/v1/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify({ email, password, name: 'Grace Hopper' }),
  });
  expect(response.status).toBe(201);
}

const tokenOf = async (email: string, url = provider.url) => (await tokensOf(url, email)).access_token;
const rolesOf = async (email: string): Promise<string[]> => {
  const { body } = await api(provider.url, 'GET /api/v1/workspaces', { token: await tokenOf(email) });
  return (body['data'] as { role: string }[]).map(({ role }) => role);
};

async function signedIn(email: string, page?: BrowserPage, browser = new Browser(provider.url)): Promise<Browser> {
  await browser.submit(page ?? (await browser.open('/sign-in')), { email, password });
  return browser;
}

describe('an email address', () => {
  test('is verified by a sign-up on this machine, and not by one on another machine', async () => {
    const [here, elsewhere] = [anAddress(), anAddress()];
    await signUp(provider.url, here);
    await signUpRemotely(elsewhere);
    for (const [email, verified] of [
      [here, true],
      [elsewhere, false],
    ] as const) {
      const token = await tokenOf(email);
      expect(decodeJwt(token)).toMatchObject({ email, email_verified: verified });
      const { body } = await api(provider.url, 'GET /api/v1/oidc/userinfo', { token });
      expect(body).toMatchObject({ email, email_verified: verified });
    }
  });

  test('is never verified by a sign-up if trustSignUps is false', async () => {
    const other = await startProvider({ trustSignUps: false });
    const email = anAddress();
    await signUp(other.url, email);
    expect(decodeJwt(await tokenOf(email, other.url))).toMatchObject({ email_verified: false });
  });

  test('is verified by a password reset link', async () => {
    const email = anAddress();
    await signUpRemotely(email);
    const browser = new Browser(provider.url);
    const asked = await browser.submit(await browser.open('/forgot-password'), { email });
    const [, link] = /href="([^"]*reset-password[^"]*)"/.exec(asked.text)!;
    await browser.submit(await browser.open(link!), { password });
    expect(decodeJwt(await tokenOf(email))).toMatchObject({ email_verified: true });
  });
});

describe('an invitation to an unverified email address', () => {
  let [owner, guest] = ['', ''];
  let members: string;
  let invitedId: string;
  beforeEach(async () => {
    [owner, guest] = [anAddress(), anAddress()];
    await signUp(provider.url, owner);
    await signUpRemotely(guest);
    const token = await tokenOf(owner);
    const created = await api(provider.url, 'POST /api/v1/workspaces', { token, body: { name: 'Toko Sinar' } });
    members = `/api/v1/workspaces/${(created.body['data'] as { id: string }).id}/members`;
    const invited = await api(provider.url, `POST ${members}`, { token, body: { email: guest, role: 'member' } });
    expect(invited.status).toBe(201);
    invitedId = (invited.body['data'] as { id: string }).id;
  });

  /** Creates an invitation link on the account page, by default as the owner. */
  async function createLink(browser?: Browser): Promise<string> {
    const inviter = browser ?? (await signedIn(owner));
    const account = await inviter.open('/');
    expect(account.text).toContain(guest);
    const shown = await inviter.submit(account);
    return /value="([^"]*\/invitation\?token=[\w-]+)"/.exec(shown.text)![1]!;
  }

  test('is not accepted when the invited user signs in without opening its link', async () => {
    expect(await rolesOf(guest)).toEqual(['owner']);
  });

  test('can be accepted with its link, but only once', async () => {
    const link = await createLink();
    const browser = await signedIn(guest);
    const invitation = await browser.open(link);
    expect(invitation.text).toContain('Toko Sinar');
    expect(await rolesOf(guest)).toEqual(['owner']);
    expect((await browser.submit(invitation)).text).toContain('You have joined Toko Sinar');
    expect(await rolesOf(guest)).toEqual(['owner', 'member']);
    expect((await browser.open(link)).text).toContain('This invitation is no longer valid');
    expect((await browser.submit(invitation)).status).toBe(400);
  });

  test('asks a signed-out user to sign in or sign up, and is shown again afterwards', async () => {
    const link = await createLink();
    const browser = new Browser(provider.url);
    const invitation = await browser.open(link);
    const [, signIn] = /href="(\/sign-in\?[^"]+)"/.exec(invitation.text)!;
    const back = await browser.submit(await browser.open(signIn!), { email: guest, password });
    expect(back.url).toBe(link);
    expect((await browser.submit(back)).text).toContain('You have joined Toko Sinar');

    const later = anAddress();
    const token = await tokenOf(owner);
    await api(provider.url, `DELETE ${members}/${invitedId}`, { token });
    await api(provider.url, `POST ${members}`, { token, body: { email: later, role: 'viewer' } });
    guest = later;
    const [next, stranger] = [await createLink(), new Browser(provider.url)];
    const [, signUpAt] = /href="(\/sign-up\?[^"]+)"/.exec((await stranger.open(next)).text)!;
    const returned = await stranger.submit(await stranger.open(signUpAt!), { name: 'Grace', email: later, password });
    expect(returned.url).toBe(next);
    expect((await stranger.submit(returned)).text).toContain('You have joined Toko Sinar');
  });

  test('is not accepted by another account', async () => {
    const link = await createLink();
    const other = anAddress();
    await signUp(provider.url, other);
    const browser = await signedIn(other);
    const shown = await browser.open(link);
    expect([shown.status, shown.text.includes('Sign out')]).toEqual([403, true]);
    const token = new URL(link).searchParams.get('token')!;
    const headers = { origin: provider.url, 'sec-fetch-site': 'same-origin' };
    const forced = await browser.open('/invitation', { method: 'POST', headers, body: new URLSearchParams({ token }) });
    expect(forced.status).toBe(403);
    expect(await rolesOf(other)).toEqual(['owner']);
  });

  test('has one valid link at a time, which expires after seven days or with the invitation', async () => {
    const first = await createLink();
    const second = await createLink();
    const browser = await signedIn(guest);
    expect((await browser.open(first)).status).toBe(400);
    expect((await browser.open(second)).status).toBe(200);
    clockOffsetMs = 7 * DAY_MS;
    expect((await browser.open(second)).status).toBe(400);
    clockOffsetMs = 0;
    await api(provider.url, `DELETE ${members}/${invitedId}`, { token: await tokenOf(owner) });
    expect((await browser.open(second)).status).toBe(400);
  });

  test('is stored without the secret of its link', async () => {
    const link = await createLink();
    const secret = new URL(link).searchParams.get('token')!;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(join(provider.dataDir, 'identity.log')).includes(secret)).toBe(false);
  });

  test('gets a link only from owners and admins', async () => {
    const browser = await signedIn(guest);
    expect((await browser.open('/')).text).not.toContain('invited');
    const headers = { origin: provider.url, 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams({ member: invitedId });
    expect((await browser.open('/invitation-links', { method: 'POST', headers, body })).status).toBe(403);
    const nobody = new Browser(provider.url);
    expect((await nobody.open('/invitation-links', { method: 'POST', headers, body })).status).toBe(401);
  });
});
