import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
let now = (): number => Date.now();
beforeAll(async () => void (sandbox = await startSandbox({ now: () => now() })));
afterAll(stopAll);

const returnUrl = 'http://localhost:8080/app/billing/return?from=portal';

/** Creates a subscription and a portal session for its customer. */
async function aPortal() {
  const { id, customer } = await aSubscription(sandbox, { customer_email: 'ada@example.com' });
  const session = await sandbox.stripe.billingPortal.sessions.create({
    customer: customer as string,
    return_url: returnUrl,
  });
  const read = async () => {
    const response = await fetch(session.url);
    // Normalize whitespace.
    return { status: response.status, text: (await response.text()).replace(/\s+/g, ' '), headers: response.headers };
  };
  const click = (button: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    fetch(`${session.url}/${button}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers,
    });
  const subscription = () => sandbox.stripe.subscriptions.retrieve(id);
  return { id, customer: customer as string, session, read, click, subscription };
}

test("a portal session has Stripe's format, and invalid parameters are rejected", async () => {
  const { session, customer } = await aPortal();
  expect(session).toMatchObject({ object: 'billing_portal.session', customer, return_url: returnUrl, livemode: false });
  expect(session.id).toMatch(/^bps_/);
  const { stripe } = sandbox;
  await expect(stripe.billingPortal.sessions.create({ customer: 'cus_x' })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'customer',
  });
  await expect(stripe.billingPortal.sessions.create({})).rejects.toMatchObject({ code: 'parameter_missing' });
  const unknown = stripe.billingPortal.sessions.create({ customer, locale: 'id' });
  await expect(unknown).rejects.toMatchObject({ code: 'parameter_unknown', param: 'locale' });
});

test('the page shows the plan, the period, the card and the invoices, and runs no scripts', async () => {
  const { read, id } = await aPortal();
  const { status, text, headers } = await read();
  expect(status).toBe(200);
  const { id: invoice } = await invoiceOf(sandbox, id);
  for (const part of [
    'ada@example.com',
    'Tautan PRO',
    'Rp 149.000 every month',
    '•••• 4242',
    'Renews',
    `href="/invoices/${invoice}"`,
    `href="${returnUrl.replace('&', '&amp;')}"`,
    'no money moves',
  ])
    expect(text).toContain(part);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|src=/);
});

test('the buttons cancel and resume the subscription', async () => {
  const { read, click, subscription } = await aPortal();
  expect((await click('cancel')).status).toBe(303);
  const canceled = await subscription();
  const { current_period_end: end } = canceled.items.data[0]!;
  expect(canceled).toMatchObject({ cancel_at: end, cancel_at_period_end: false });
  expect((await read()).text).toContain('Resume subscription');
  expect((await click('resume')).status).toBe(303);
  expect(await subscription()).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
  expect((await read()).text).toContain('Cancel at the end of the period');
});

describe('a card whose payments fail', () => {
  test('leaves the renewal unpaid, and the invoice can be paid after the card is changed', async () => {
    const { id, read, click, subscription } = await aPortal();
    await click('card', { card: 'pm_card_chargeCustomerFail' });
    expect((await read()).text).toContain('•••• 0341');
    await advance(sandbox, id);
    expect((await subscription()).status).toBe('past_due');
    expect((await read()).text).toContain('The last payment failed.');
    const { hosted_invoice_url: invoiceUrl } = await invoiceOf(sandbox, id);
    const declined = await submitButton(invoiceUrl!, 'pay');
    expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('The card was declined.')]);
    await click('card', { card: 'pm_card_visa' });
    expect((await submitButton(invoiceUrl!, 'pay')).status).toBe(303);
    expect((await subscription()).status).toBe('active');
  });

  test('is replaced by the card of the next checkout', async () => {
    const { customer, click } = await aPortal();
    await click('card', { card: 'pm_card_chargeCustomerFail' });
    const { url } = await sandbox.stripe.checkout.sessions.create(aSession({ customer }));
    await submitButton(url!, 'pay');
    const { invoice_settings: settings } = (await sandbox.stripe.customers.retrieve(customer)) as unknown as {
      invoice_settings: object;
    };
    expect(settings).toMatchObject({ default_payment_method: 'pm_card_visa' });
  });
});

describe('a portal URL', () => {
  test('must be opened within five minutes and then works for one hour', async () => {
    const [late, opened] = [await aPortal(), await aPortal()];
    expect((await opened.read()).status).toBe(200);
    const start = Date.now();
    now = () => start + 301_000;
    expect((await late.read()).status).toBe(410);
    expect((await late.click('cancel')).status).toBe(410);
    expect((await opened.read()).status).toBe(200);
    now = () => start + 3_700_000;
    expect((await opened.read()).status).toBe(410);
    now = () => Date.now();
    expect((await late.subscription()).cancel_at).toBe(null);
  });

  test('that is unknown returns 410', async () => {
    expect((await fetch(`${sandbox.url}/portal/ps_test_x`)).status).toBe(410);
  });

  test('responds with 403 to forms on other sites and with 404 to unknown actions', async () => {
    const { click, session } = await aPortal();
    expect((await click('cancel', {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await click('launch')).status).toBe(404);
    expect((await fetch(session.url, { method: 'POST' })).status).toBe(404);
  });
});

test('{CHECKOUT_SESSION_ID} in the cancel URL of a checkout is replaced by the id of the session', async () => {
  const cancel_url = 'http://localhost:8080/back?session={CHECKOUT_SESSION_ID}';
  const { id, url } = await sandbox.stripe.checkout.sessions.create(aSession({ cancel_url }));
  expect(await (await fetch(url!)).text()).toContain(`href="http://localhost:8080/back?session=${id}"`);
});
