import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  aSession,
  aSubscription,
  advance,
  invoiceOf,
  submitButton,
  startSandbox,
  stopAll,
  type Running,
} from './testing/running.js';

let sandbox: Running;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(stopAll);

async function open(url: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(url);
  // Normalize whitespace.
  return { status: response.status, text: (await response.text()).replace(/\s+/g, ' '), headers: response.headers };
}

test('the checkout shows the items, the amount, and a notice that no money moves', async () => {
  const { stripe } = sandbox;
  const { id: customer } = await stripe.customers.create({
    email: 'ada@example.com',
    name: 'Ada',
  });
  const { url } = await stripe.checkout.sessions.create(aSession({ customer }));
  const { status, text } = await open(url!);
  expect(status).toBe(200);
  for (const part of [
    '<h1>Tautan PRO</h1>',
    'Rp 149.000 <small>every month</small>',
    'ada@example.com',
    'Pay Rp 149.000',
    'no money moves',
  ])
    expect(text).toContain(part);
  expect(text).toContain('href="http://localhost:8080/not-paid"');
});

test('a page loads no resources and runs no scripts, and its form can only lead to the sandbox or the origin of the success URL', async () => {
  const { url } = await sandbox.stripe.checkout.sessions.create(aSession());
  const { headers, text } = await open(url!);
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'self' http://localhost:8080;");
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/<script|<link[^>]+href="http|src=/);
});

test('product names are escaped', async () => {
  const price = { currency: 'usd', unit_amount: 1, recurring: { interval: 'month' as const } };
  const { id } = await sandbox.stripe.prices.create({ ...price, product_data: { name: '<script>alert(1)</script>' } });
  const { url } = await sandbox.stripe.checkout.sessions.create(aSession({ line_items: [{ price: id }] }));
  const { text } = await open(url!);
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>');
});

test('a declined card is reported on the same page', async () => {
  const { url } = await sandbox.stripe.checkout.sessions.create(aSession());
  const answer = await submitButton(url!, 'decline');
  expect(answer.status).toBe(402);
  const text = await answer.text();
  expect(text).toContain('The card was declined.');
  expect(text).toContain('/pay"');
});

test('the checkout page says whether its session is paid or expired', async () => {
  const { stripe, url: base } = sandbox;
  const [paid, expired] = [
    await stripe.checkout.sessions.create(aSession()),
    await stripe.checkout.sessions.create(aSession()),
  ];
  await submitButton(paid.url!, 'pay');
  await stripe.checkout.sessions.expire(expired.id);
  const paidPage = await open(`${base}/pay/${paid.id}`);
  expect([paidPage.status, paidPage.text]).toEqual([200, expect.stringContaining('Payment complete')]);
  expect(paidPage.text).toContain(`href="http://localhost:8080/paid?session=${paid.id}"`);
  const expiredPage = await open(`${base}/pay/${expired.id}`);
  expect([expiredPage.status, expiredPage.text]).toEqual([410, expect.stringContaining('has expired')]);
});

test('another site cannot submit the form', async () => {
  const { stripe } = sandbox;
  const { url, id } = await stripe.checkout.sessions.create(aSession());
  expect((await submitButton(url!, 'pay', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await submitButton(url!, 'pay', { origin: 'https://evil.example' })).status).toBe(403);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
  expect((await submitButton(url!, 'pay', { 'sec-fetch-site': 'same-origin', origin: sandbox.url })).status).toBe(303);
});

test('the page of an invoice shows its amount and accepts its payment', async () => {
  const { id } = await aSubscription(sandbox, { customer_email: 'grace@example.com' });
  const paid = await open((await invoiceOf(sandbox, id)).hosted_invoice_url!);
  expect(paid.status).toBe(200);
  for (const part of ['Rp 149.000 paid', 'grace@example.com', '1 × Tautan PRO (at Rp 149.000 / month)'])
    expect(paid.text).toContain(part);
  await advance(sandbox, id, 'fail');
  const owed = await open((await invoiceOf(sandbox, id)).hosted_invoice_url!);
  expect(owed.text).toContain('Rp 149.000 to pay');
  const { hosted_invoice_url: invoiceUrl } = await invoiceOf(sandbox, id);
  for (const _ of ['once', 'and again']) expect((await submitButton(invoiceUrl!, 'pay')).status).toBe(303);
  expect((await open(invoiceUrl!)).text).toContain('Rp 149.000 paid');
  expect(await sandbox.stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
});

test('shows a landing page at /, and returns 404 for unknown paths and wrong methods', async () => {
  const { url, stripe } = sandbox;
  const { url: checkoutUrl } = await stripe.checkout.sessions.create(aSession());
  expect((await open(`${url}/`)).text).toContain('no money moves');
  for (const path of ['/x', '/pay/cs_test_x', '/invoices/in_x', '/%', '//'])
    expect([path, (await open(`${url}${path}`)).status]).toEqual([path, 404]);
  expect((await open(`${checkoutUrl}/pay`)).status).toBe(404);
  expect((await fetch(checkoutUrl!, { method: 'POST' })).status).toBe(404);
});
