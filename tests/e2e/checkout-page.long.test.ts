import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '@tautan/kit/testing';
import { launchBrowser } from '../support/browser.js';
import type { ApiCheckout, ApiInvoice, ApiPlan, ApiPortal, ApiSubscription, ApiUsage } from '../support/billing.js';
import type { ApiLink, Client } from '../support/client.js';
import { endPeriod } from '../support/payments.js';
import { accepted, aPerson, aWorkspace, type Person } from '../support/people.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// In these tests, a user buys, manages and cancels a plan in a browser, with the buttons of the pages.

/** Limits that differ by plan, so that responses reveal a workspace's plan. */
const rates = { FREE: 1_001, PRO: 2_002, BUSINESS: 3_003 };
const linkLimits = { FREE: 1, PRO: 3, BUSINESS: 9 };
const environment = Object.fromEntries(
  Object.entries(rates).map(([plan, rate]) => [
    `PLAN_${plan}`,
    JSON.stringify({
      rateLimits: { read: rate, write: rate },
      limits: { links: linkLimits[plan as keyof typeof rates] },
    }),
  ]),
);

let stack: Stack;
let browser: Browser;
let owner: Person;

beforeAll(async () => {
  stack = await startStack({ env: environment });
  owner = await aPerson(stack);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Returns whether a page can be read without horizontal scrolling. */
const fitsViewport = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Opens a page with the viewport of a phone. Returns the page, and the list of errors that occur on it. */
async function aPhone(): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (line) => line.text().includes('Content Security Policy') && problems.push(line.text()));
  return { page, problems };
}

const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
const subscriptionOf = async (api: Client) => accepted(await api.get<ApiSubscription>('/billing/subscription'));
const expectSubscription = (api: Client, expected: Partial<ApiSubscription>) =>
  eventually(async () => expect(await subscriptionOf(api)).toMatchObject(expected), 10_000);

/** Waits until a workspace is on `plan` and has the rate limit of that plan. Throws after one second. */
const expectPlan = (api: Client, plan: keyof typeof rates): Promise<void> =>
  eventually(async () => {
    const response = await api.get<ApiPlan>('/billing/plan');
    expect([accepted(response).name, Number(response.headers.get('ratelimit-limit'))]).toEqual([plan, rates[plan]]);
  }, 1_000);

/** Cards that the user selects in the portal, by their last digits. */
const workingCard = /4242/;
const declinedCard = /0341/;

const isReturn = (url: URL): boolean => url.origin === stack.baseUrl && url.pathname === '/app/billing/return';

test('on a phone, a user buys PRO, returns, manages it in the portal, cancels, and is on FREE after the period', async () => {
  const { id } = await aWorkspace(owner);
  const api = owner.in(id);
  const { page, problems } = await aPhone();
  const { checkoutUrl } = accepted(await api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO' }));
  await page.goto(checkoutUrl);
  expect(await heading(page)).toBe('Tautan PRO');
  expect(await page.locator('body').innerText()).toMatch(/Rp\s149\.000 every month[^]*no money moves/);
  expect(await fitsViewport(page)).toBe(true);

  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL(isReturn);
  expect(await heading(page)).toBe('Checkout canceled');
  expect(await page.locator('body').innerText()).toContain('Nothing was charged');
  expect((await subscriptionOf(api)).status).toBe('none');

  await page.goto(checkoutUrl);
  await press(page, 'Decline card');
  expect(await page.getByRole('alert').innerText()).toContain('declined');
  await press(page, /^Pay Rp\s149\.000$/);
  await page.waitForURL(isReturn);
  await expectSubscription(api, { plan: 'PRO', status: 'active', currency: 'IDR' });
  await expectPlan(api, 'PRO');
  expect(accepted(await api.get<ApiUsage>('/billing/usage'))).toMatchObject({
    plan: 'PRO',
    links: { used: 0, limit: 3 },
  });
  for (let i = 0; i < 3; i += 1) await api.post('/links', { url: 'https://example.com/' });
  expect((await api.post('/links', { url: 'https://example.com/' })).error?.code).toBe('PLAN_LIMIT_EXCEEDED');
  // The page refreshes itself until the plan is active.
  await eventually(async () => expect(await heading(page)).toBe('You are on PRO'), 10_000);
  expect(await fitsViewport(page)).toBe(true);
  expect(await page.getByRole('link', { name: 'Go to billing' }).getAttribute('href')).toBe('/app/billing');
  const [{ invoiceUrl }] = accepted(await api.get<[ApiInvoice]>('/billing/history'));
  await page.goto(invoiceUrl!);
  expect(await heading(page)).toMatch(/^Rp\s149\.000 paid$/);
  expect(await fitsViewport(page)).toBe(true);

  const { portalUrl } = accepted(await api.post<ApiPortal>('/billing/portal', undefined));
  await page.goto(portalUrl);
  expect(await page.locator('body').innerText()).toMatch(/Tautan PRO[^]*•••• 4242[^]*Invoices/);
  expect(await fitsViewport(page)).toBe(true);
  await press(page, 'Cancel at the end of the period');
  await expectSubscription(api, { cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  await press(page, 'Resume subscription');
  await expectSubscription(api, { cancelAtPeriodEnd: false, pendingPlan: null });
  await page.getByRole('link', { name: 'Back to Tautan' }).click();
  await page.waitForURL(isReturn);
  expect(await heading(page)).toBe('You are back from the customer portal');
  expect(await fitsViewport(page)).toBe(true);

  accepted(await api.post('/billing/cancel', undefined));
  await endPeriod(stack, id);
  await expectSubscription(api, { plan: 'FREE', status: 'canceled' });
  await expectPlan(api, 'FREE');
  expect(accepted(await api.get<ApiUsage>('/billing/usage'))).toMatchObject({
    plan: 'FREE',
    links: { used: 3, limit: 1 },
  });
  expect((await api.post('/links', { url: 'https://example.com/' })).error?.code).toBe('PLAN_LIMIT_EXCEEDED');
  for (const { slug } of accepted(await api.get<ApiLink[]>('/links'))) {
    expect((await visit(stack.baseUrl, `/${slug}`)).status).toBe(302);
  }
  expect(problems).toEqual([]);
});

test('if the card is declined at renewal, the subscription is past due until the invoice is paid with another card', async () => {
  const { id } = await aWorkspace(owner);
  const api = owner.in(id);
  const { page, problems } = await aPhone();
  await page.goto(accepted(await api.post<ApiCheckout>('/billing/checkout', { plan: 'BUSINESS' })).checkoutUrl);
  await press(page, /^Pay/);
  await expectSubscription(api, { plan: 'BUSINESS', status: 'active' });
  await page.goto(accepted(await api.post<ApiPortal>('/billing/portal', {})).portalUrl);
  await press(page, declinedCard);
  await endPeriod(stack, id, 'card');
  await expectSubscription(api, { plan: 'BUSINESS', status: 'past_due' });
  await page.reload();
  expect(await page.getByRole('alert').innerText()).toContain('The last payment failed.');
  const portal = page.url();
  const invoice = page.getByRole('link', { name: /-0002$/ });
  await invoice.click();
  await press(page, /^Pay/);
  expect(await page.getByRole('alert').innerText()).toContain('declined');
  await page.goto(portal);
  await press(page, workingCard);
  await invoice.click();
  await press(page, /^Pay/);
  await expectSubscription(api, { plan: 'BUSINESS', status: 'active' });
  expect(problems).toEqual([]);
});

test('the return page shows nothing for a missing or forged checkout session', async () => {
  const { page, problems } = await aPhone();
  for (const query of ['', '?session=cs_test_madeup', '?session=cs_test_madeup&checkout=paid']) {
    await page.goto(`${stack.baseUrl}/app/billing/return${query}`);
    expect(await heading(page)).toBe('Nothing to show here');
  }
  expect(problems).toEqual([]);
});
