import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Browser } from '../testing/browser.js';
import {
  api,
  authorizeUrl,
  redirectUri,
  refresh,
  scope,
  signUp,
  startProvider,
  stopProviders,
  tokenRequest,
  type Provider,
} from '../testing/running.js';

let provider: Provider;
const links: string[] = [];
beforeAll(async () => {
  provider = await startProvider({ onReset: (email, link) => links.push(`${email} ${link}`) });
  await signUp(provider.url, 'ada@example.com');
});
afterAll(stopProviders);

const signIn = (password: string) =>
  tokenRequest(provider.url, {
    grant_type: 'password',
    client_id: 'tautan',
    scope,
    username: 'ada@example.com',
    password,
  });

/** Requests a password reset and returns the link on the page. */
async function linkFor(browser: Browser, email: string): Promise<string> {
  const confirmation = await browser.submit(await browser.open('/forgot-password'), { email });
  expect(confirmation.text).toContain('The local stack sends no email');
  return /href="([^"]*reset-password[^"]*)"/.exec(confirmation.text)![1]!;
}

describe('a forgotten password', () => {
  test('can be reset with a link, which works once and invalidates all others', async () => {
    const browser = new Browser(provider.url);
    const [first, second] = [await linkFor(browser, 'ada@example.com'), await linkFor(browser, ' ADA@Example.com')];
    const form = await browser.open(second);
    const weak = await browser.submit(form, { password: 'short' });
    expect(weak.text).toContain('aria-describedby="password-error"');
    expect((await browser.submit(form, { password: 'another good one' })).text).toContain('Your password is saved');
    expect((await signIn('another good one')).status).toBe(200);
    expect((await signIn('a long enough one')).status).toBe(400);
    for (const link of [first, second]) expect((await browser.open(link)).text).toContain('This link has expired');
    expect((await browser.submit(form, { password: 'yet another one' })).status).toBe(400);
  });

  test('can be reset only with the link in the terminal if the browser is behind a proxy', async () => {
    for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-forwarded-host']) {
      links.length = 0;
      const [form, headers] = [
        new URLSearchParams({ email: 'ada@example.com' }),
        { [header]: 'somewhere', origin: provider.url },
      ];
      const page = await fetch(`${provider.url}/forgot-password`, { method: 'POST', headers, body: form });
      expect([page.status, (await page.text()).includes('token=')]).toEqual([200, false]);
      expect(links).toEqual([expect.stringMatching(/^ada@example.com http.*\/reset-password\?token=/)]);
    }
  });

  test('ends all sessions when it is reset', async () => {
    const tokenFor = async (password: string) => (await signIn(password)).body['refresh_token'] as string;
    const token = await tokenFor('another good one');
    const browser = new Browser(provider.url);
    const form = await browser.open(await linkFor(browser, 'ada@example.com'));
    await browser.submit(form, { password: 'a third good one' });
    expect((await refresh(provider.url, token)).status).toBe(400);
    expect((await refresh(provider.url, await tokenFor('a third good one'))).status).toBe(200);
  });

  test('leads to the same page for a known and an unknown email address', async () => {
    const browser = new Browser(provider.url);
    const pages = [];
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      const { status, text } = await browser.submit(await browser.open('/forgot-password'), { email });
      pages.push([status, text.replaceAll(email, '…').replace(/token=[\w-]+/, 'token=…')]);
    }
    expect(pages[0]).toEqual(pages[1]);
  });

  test.each(['ada@example.com', 'nobody@example.com'])(
    'leads to the same API response whether or not the account exists (%s)',
    async (email) => {
      const response = await api(provider.url, 'POST /api/v1/people/forgot-password', { body: { email } });
      expect(response).toEqual({ status: 202, body: {} });
    },
  );
});

describe('pages', () => {
  test('welcome a user who opens the provider directly, and sign them up', async () => {
    const browser = new Browser(provider.url);
    expect((await browser.open('/')).text).toContain('Create an account');
    const form = await browser.open('/sign-up');
    const taken = await browser.submit(form, { name: 'Ada', email: 'ada@example.com', password: 'a long enough one' });
    expect([taken.status, taken.text.includes('id="email-error"')]).toEqual([409, true]);
    const values = { name: 'Grace Hopper', email: 'grace@example.com', password: 'a long enough one' };
    expect((await browser.submit(form, values)).text).toContain('Welcome, Grace Hopper');
  });

  test('show the signed-in user after sign-up until sign-out', async () => {
    const browser = new Browser(provider.url);
    const values = { name: 'Alan Turing', email: 'alan@example.com', password: 'a long enough one' };
    await browser.submit(await browser.open('/sign-up'), values);
    const account = await browser.open('/');
    expect(account.text).toMatch(/Alan Turing[^]*alan@example\.com/);
    expect(account.text).not.toContain('Create an account');
    await browser.submit(await browser.open('/api/v1/oidc/end-session'), {}, 'logout=yes');
    expect((await browser.open('/')).text).toContain('Create an account');
  });

  test("start the application's sign-in after sign-up without asking for the password again", async () => {
    const loginUri = 'http://localhost:8080/api/v1/auth/authorize';
    const other = await startProvider({
      clients: {
        dashboard: { id: 'tautan', redirectUris: [redirectUri], postLogoutUris: [], loginUri },
        device: { id: 'tautan-cli' },
      },
    });
    const browser = new Browser(other.url);
    const values = { name: 'Alan Turing', email: 'alan@example.com', password: 'a long enough one' };
    const redirect = await browser.submit(await browser.open('/sign-up'), values);
    expect([redirect.status, redirect.url]).toEqual([303, loginUri]);
    expect(redirect.headers.getSetCookie().join()).toMatch(/_session=[^;]+;.*httponly/i);
    const callback = await browser.open(authorizeUrl(other.url));
    expect(callback.url).toMatch(/^http:\/\/localhost:8080\/api\/v1\/auth\/callback\?code=/);
  });

  test('start a new session at sign-up instead of reusing the existing one', async () => {
    const browser = new Browser(provider.url);
    await browser.submit(await browser.open('/sign-up'), {
      name: 'Eve',
      email: 'eve1@example.com',
      password: 'a long enough one',
    });
    const before = browser.cookies;
    await browser.submit(await browser.open('/sign-up'), {
      name: 'Eve',
      email: 'eve2@example.com',
      password: 'a long enough one',
    });
    expect(browser.cookies.filter((cookie) => before.includes(cookie))).toEqual([]);
    expect((await browser.open('/')).text).toContain('eve2@example.com');
  });

  test('for sign-in have the tab order email, password, button, links', async () => {
    const browser = new Browser(provider.url);
    const { text } = await browser.open(authorizeUrl(provider.url));
    const order = [...text.matchAll(/<(input|button|a)[\s>]/g)].map(([, name]) => name);
    expect(order).toEqual(['input', 'input', 'button', 'a', 'a']);
  });

  test.each(['/nothing', '/interaction/unknown', '/reset-password?token=x', '//evil.example/', '/%'])(
    '%s responds with an HTML error page',
    async (path) => {
      const response = await fetch(`${provider.url}${path}`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(response.headers.get('content-type')).toContain('text/html');
    },
  );
});
