import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Browser } from '../testing/browser.js';
import { authorizeUrl, redirectUri, signUp, startProvider, stopProviders, type Provider } from '../testing/running.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
  await signUp(provider.url, 'ada@example.com');
});
afterAll(stopProviders);

test('a sign-in link signs its user in, in every browser that opens it', async () => {
  const link = provider.createSignInLink('ada@example.com');
  for (const browser of [new Browser(provider.url), new Browser(provider.url)]) {
    expect((await browser.open(link)).text).toContain('Welcome, Ada Lovelace');
    expect((await browser.open(authorizeUrl(provider.url))).url).toContain(`${redirectUri}?code=`);
  }
});

test('a HEAD request of a link preview starts no session', async () => {
  const browser = new Browser(provider.url);
  expect((await browser.open(provider.createSignInLink('ada@example.com'), { method: 'HEAD' })).status).toBe(200);
  expect(browser.cookies).toEqual([]);
});

test('an unknown or expired link returns 404 and starts no session', async () => {
  const earlier = provider.createSignInLink('ada@example.com');
  await provider.restart();
  for (const link of [earlier, `${provider.url}/demo/0123456789abcdef`]) {
    const browser = new Browser(provider.url);
    const { status, text } = await browser.open(link);
    expect([status, text]).toEqual([404, expect.stringContaining('This link has expired')]);
    expect(browser.cookies).toEqual([]);
  }
});

test('createSignInLink throws for an unknown email address', () => {
  expect(() => provider.createSignInLink('nobody@example.com')).toThrow('No account has the email address');
});
