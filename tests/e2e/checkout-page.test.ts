import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { eventually } from '@tautan/kit/testing';
import { apiClient } from '../support/client.js';
import { accepted } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';

// A plan is bought as a person buys it: with the buttons of the page that the API leads to.
let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  stack = await startStack();
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}, 40_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
}, 20_000);

/** Whether everything on a page can be read without scrolling sideways. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

test('on a phone: a card that is declined, then one that is not, and back to the product', async () => {
  const api = apiClient(stack);
  const { checkoutUrl } = accepted(await api.post<{ checkoutUrl: string }>('/billing/checkout', { plan: 'BUSINESS' }));
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => line.text().includes('Content Security Policy') && problems.push(line.text()));
  await page.goto(checkoutUrl);
  expect(await page.getByRole('heading').innerText()).toBe('Tautan BUSINESS');
  expect(await page.locator('body').innerText()).toMatch(/Rp\s449\.000 every month[^]*no money moves/);
  expect(await fits(page)).toBe(true);
  await page.getByRole('button', { name: 'Decline card' }).click();
  expect(await page.getByRole('alert').innerText()).toContain('declined');
  expect(accepted(await api.get<{ status: string }>('/billing/subscription')).status).toBe('none');
  await page.getByRole('button', { name: /^Pay Rp\s449\.000$/ }).click();
  await page.waitForURL((url) => url.origin === stack.baseUrl);
  await eventually(async () => {
    const { data } = await api.get('/billing/subscription');
    expect(data).toMatchObject({ plan: 'BUSINESS', status: 'active', currency: 'IDR' });
  });
  await page.goto(checkoutUrl);
  expect(await page.getByRole('heading').innerText()).toBe('This is paid');
  const [{ invoiceUrl }] = accepted(await api.get<[{ invoiceUrl: string }]>('/billing/history'));
  await page.goto(invoiceUrl);
  expect(await page.getByRole('heading').innerText()).toMatch(/^Rp\s449\.000 paid$/);
  expect(await fits(page)).toBe(true);
  expect(problems).toEqual([]);
});
