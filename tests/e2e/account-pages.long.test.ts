import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { accepted, aPerson, aWorkspace, signIn, type ApiMember } from '../support/people.js';
import { shareStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';

// The pages of the local identity provider, in a real browser.
let stack: Stack;
let identity: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  stack = await shareStack();
  identity = (await stack.quickstart()).identity.url;
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  page = await context.newPage();
});
afterAll(() => browser?.close());

/** Returns the name or text of the focused element. */
const focused = (): Promise<string> => page.evaluate(`document.activeElement.name || document.activeElement.innerText`);

/** Returns whether the page can be read without horizontal scrolling. */
const fitsViewport = (): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

test('signing up starts a session and opens the application, without another sign-in', async () => {
  const email = `baru.${randomUUID()}@example.com`;
  await page.goto(identity);
  await page.getByRole('link', { name: 'Create an account' }).click();
  expect(await fitsViewport()).toBe(true);
  await page.getByLabel('Name').fill('Ibu Sari');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('kata sandi yang panjang');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(`${stack.baseUrl}/app**`);
  const session = await page.evaluate(`fetch('/api/v1/auth/session').then((response) => response.json())`);
  expect(session).toMatchObject({ data: { user: { email } } });

  await page.goto(identity);
  expect(await page.locator('main').innerText()).toContain(email);
  expect(await fitsViewport()).toBe(true);
  await page.getByRole('link', { name: 'Go to Tautan' }).click();
  await page.waitForURL(`${stack.baseUrl}/app**`);

  await page.goto(identity);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(identity);
  expect(await page.locator('main').innerText()).not.toContain(email);
});

test('an invited user without a verified email address joins with a link from the inviter’s account page', async () => {
  const inviter = await aPerson(stack);
  const { id } = await aWorkspace(inviter, 'Warung Kopi');
  const guest = { email: `tamu.${randomUUID()}@example.com`, password: 'kata sandi yang panjang', name: 'Tamu' };
  const signedUp = await fetch(`${identity}/api/v1/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    body: JSON.stringify(guest),
  });
  expect(signedUp.status).toBe(201);
  const members = '/workspaces/current/members';
  accepted(await inviter.in(id).post(members, { email: guest.email, role: 'member' }));
  const guestApi = (await signIn(stack, guest)).api;
  const statusOf = async () =>
    accepted(await inviter.in(id).get<ApiMember[]>(members)).find(({ email }) => email === guest.email)?.status;
  accepted(await guestApi.get('/workspaces'));
  expect(await statusOf()).toBe('invited');

  await context.clearCookies();
  await page.goto(`${identity}/sign-in`);
  await page.getByLabel('Email').fill(inviter.email);
  await page.getByLabel('Password').fill(inviter.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${stack.baseUrl}/app**`);
  await page.goto(identity);
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.getByLabel('Link').inputValue();
  expect(await fitsViewport()).toBe(true);

  await context.clearCookies();
  await page.goto(link);
  expect(await fitsViewport()).toBe(true);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill(guest.email);
  await page.getByLabel('Password').fill(guest.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Join' }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('You have joined Warung Kopi');
  await eventually(async () => expect(await statusOf()).toBe('active'));
});

test('on the sign-in page, Tab moves from the email to the password, the button and then the links', async () => {
  await context.clearCookies();
  await page.goto(`${stack.baseUrl}/api/v1/auth/authorize`);
  // Autofocus happens with the first frame, which may come after the load event.
  await page.locator('input[name=email]:focus').waitFor();
  const order = [await focused()];
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused());
  }
  expect(order).toEqual(['email', 'password', 'Sign in', 'Forgot your password?', 'Create an account']);
});
