import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail, type ErrorCode } from '@tautan/kit';
import { billing } from './testing/billing.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' });
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.billing = billing();
});
afterAll(() => gateway.stop());

const SESSION = 'cs_test_a1B2';
async function open(query: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/app/billing/return${query}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const checkoutRequests = () => requestsTo(gateway.services, 'GetCheckout');
const checkout = (state: { status: string; plan?: string; applied?: boolean }) => {
  gateway.services.billing.GetCheckout = async () => ({ applied: false, ...state });
};
const refreshOf = (text: string) => /http-equiv="refresh" content="(\d+);url=([^"]+)"/.exec(text)?.slice(1);

describe('the page after a checkout shows the status from the provider', () => {
  test.each([
    [{ status: 'paid', plan: 'PRO', applied: true }, 'You are on PRO', 'your workspace now has the PRO plan'],
    [{ status: 'open' }, 'Checkout canceled', 'Nothing was charged'],
    [{ status: 'expired' }, 'This checkout has expired', 'Nothing was charged'],
    [{ status: 'failed' }, 'The payment failed', 'Start a new checkout'],
    [{ status: 'unknown' }, 'Nothing to show here', 'does not belong to a recent checkout'],
    [{ status: 'of a later version' }, 'Nothing to show here', 'does not belong to a recent checkout'],
  ])('%p', async (state, heading, text) => {
    checkout(state);
    const page = await open(`?session=${SESSION}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<h1>${heading}</h1>`);
    expect(page.text).toContain(text);
    expect(page.text).toContain('<a class="action" href="/app/billing">Go to billing</a>');
    expect(refreshOf(page.text)).toBeUndefined();
    expect(checkoutRequests()).toEqual([{ sessionId: SESSION }]);
  });

  test.each([
    [{ status: 'paid', plan: 'BUSINESS' }, 'Payment received', 'the BUSINESS plan takes effect in a moment'],
    [{ status: 'processing' }, 'Your payment is being processed', 'Your plan changes as soon as'],
  ])('%p, with an automatic refresh that slows down and then stops', async (state, heading, text) => {
    checkout(state);
    const page = await open(`?session=${SESSION}`);
    expect(page.text).toContain(`<h1>${heading}</h1>`);
    expect(page.text).toContain(text);
    const [seconds, address] = refreshOf(page.text)!;
    expect([seconds, address]).toEqual(['2', `/app/billing/return?session=${SESSION}&amp;refreshes=1`]);
    expect(refreshOf((await open(`?session=${SESSION}&refreshes=15`)).text)![0]).toBe('10');
    expect(refreshOf((await open(`?session=${SESSION}&refreshes=40`)).text)).toBeUndefined();
  });

  test('regardless of flags in the URL', async () => {
    checkout({ status: 'open' });
    expect((await open(`?session=${SESSION}&checkout=paid&status=paid`)).text).toContain('Checkout canceled');
  });
});

test.each<ErrorCode>(['UPSTREAM_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])(
  'on %s, the page says that the payment cannot be checked, and refreshes',
  async (code) => {
    gateway.services.billing.GetCheckout = () => Promise.reject(fail(code, 'No.'));
    const { status, text } = await open(`?session=${SESSION}`);
    expect(status).toBe(503);
    expect(text).toContain('We cannot check the payment right now');
    expect(refreshOf(text)![0]).toBe('2');
  },
);

test.each(['', '?session=%7BCHECKOUT_SESSION_ID%7D', '?session=%3Cscript%3E', `?session=cs_${'x'.repeat(210)}`])(
  'for the query %j, the page shows no checkout, and the billing service is not called',
  async (query) => {
    const { status, text } = await open(query);
    expect([status, text]).toEqual([200, expect.stringContaining('Nothing to show here')]);
    expect(text).not.toContain('<script');
    expect(checkoutRequests()).toEqual([]);
  },
);

test.each(['?from=portal', '', `?session=${SESSION}`])(
  'the page with the query %j links to an HTML page that the gateway serves',
  async (query) => {
    checkout({ status: 'paid', plan: 'PRO', applied: true });
    const [, href] = /<a class="action" href="([^"]+)"/.exec((await open(query)).text)!;
    const next = await fetch(`${gateway.url}${href}`, { headers: { accept: 'text/html' } });
    await next.body?.cancel();
    expect([next.status, next.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  },
);

test('the page after the portal shows no result', async () => {
  const { text } = await open('?from=portal');
  expect(text).toContain('You are back from the customer portal');
  expect(checkoutRequests()).toEqual([]);
});

test('the page has no scripts, is not cached, and escapes its text', async () => {
  checkout({ status: 'paid', plan: '<script>alert(1)</script>', applied: true });
  const { headers, text } = await open(`?session=${SESSION}`);
  expect(text).toContain('&lt;script&gt;');
  expect(text).not.toMatch(/<script|src=|<link/);
  const style = /<style>([^]*?)<\/style>/.exec(text)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
});

test('the page is rate-limited by client address', async () => {
  const limited = await startGateway({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PUBLIC: '3' });
  try {
    const visit = () => fetch(`${limited.url}/app/billing/return`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    const statuses = (await Promise.all([1, 2, 3, 4].map(visit))).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 429]);
  } finally {
    await limited.stop();
  }
});
