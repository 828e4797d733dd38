import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { aSession, secretKey, startSandbox, stopAll, stripeAt, type Running } from './testing/running.js';

let sandbox: Running;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(stopAll);

/** Sends a raw form. */
async function send(call: string, form = '', headers: Record<string, string> = {}) {
  const [method, path] = call.split(' ') as [string, string];
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    ...(method === 'POST' && { body: form }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

describe('authentication', () => {
  test('rejects a missing or wrong key', async () => {
    const { port } = new URL(sandbox.url);
    await expect(stripeAt(Number(port), 'sk_test_other').customers.create()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    const { status, body, headers } = await send('GET /v1/customers', '', { authorization: '' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Stripe"']);
    expect(body).toEqual({ error: { type: 'invalid_request_error', message: 'You did not provide an API key.' } });
  });

  test('accepts the key as the user name of basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
    expect((await send('GET /v1/customers', '', { authorization })).status).toBe(200);
  });
});

describe('parameter validation', () => {
  const item = 'line_items[0][price_data]';
  const price = `${item}[currency]=idr&${item}[unit_amount]=100&${item}[product_data][name]=x`;
  const session = `mode=subscription&success_url=http://localhost/&${price}&${item}[recurring][interval]=month`;

  test.each([
    ['an unknown parameter', `${session}&color=red`, 'color', 'parameter_unknown'],
    ['an unknown nested parameter', `${session}&${item}[color]=red`, `${item}[color]`, 'parameter_unknown'],
    ['a missing parameter', session.replace('success_url', 'cancel_url'), 'success_url', 'parameter_missing'],
    [
      'a missing nested parameter',
      `${session.replace(/&[^&]*interval[^&]*/, '')}&${item}[recurring][interval_count]=1`,
      `${item}[recurring][interval]`,
      'parameter_missing',
    ],
    [
      'a number that is not an integer',
      session.replace('=100', '=1.5'),
      `${item}[unit_amount]`,
      'parameter_invalid_integer',
    ],
    ['a number out of range', session.replace('=100', '=-1'), `${item}[unit_amount]`, undefined],
    ['an unknown enum value', session.replace('=month', '=moon'), `${item}[recurring][interval]`, undefined],
    ['an unsupported mode', session.replace('mode=subscription', 'mode=payment'), 'mode', undefined],
    ['an invalid URL', session.replace('http://localhost/', 'localhost'), 'success_url', undefined],
    ['a repeated parameter', `${session}&cancel_url=http://a/&cancel_url=http://b/`, 'cancel_url', undefined],
    ['a customer that does not exist', `${session}&customer=cus_x`, 'customer', 'resource_missing'],
    [
      'a price that does not exist',
      session.replace(price, 'line_items[0][price]=price_x').replace(/&[^&]*interval[^&]*/, ''),
      'line_items[0][price]',
      'resource_missing',
    ],
    [
      'an expiry that is too soon',
      `${session}&expires_at=${Math.floor(Date.now() / 1000) + 60}`,
      'expires_at',
      undefined,
    ],
  ])('rejects %s, naming the parameter', async (_, form, param, code) => {
    const { status, body } = await send('POST /v1/checkout/sessions', form);
    expect([status, body]).toEqual([
      400,
      {
        error: {
          ...(code !== undefined && { code }),
          ...{ type: 'invalid_request_error', message: expect.stringMatching(/./), param },
        },
      },
    ]);
  });

  test('accepts valid forms', async () => {
    expect((await send('POST /v1/checkout/sessions', session)).status).toBe(200);
  });

  test('rejects bodies that are too long or too deeply nested, and ignores __proto__', async () => {
    expect((await send('POST /v1/customers', `name=${'x'.repeat(17_000)}`)).status).toBe(413);
    expect((await send('POST /v1/customers', 'a[b][c][d][e][f][g][h]=1')).status).toBe(400);
    expect((await send('POST /v1/customers', '__proto__[email]=a@b.co&name=x')).body).toMatchObject({ email: null });
  });

  test('an empty metadata value removes its key, and empty metadata removes all keys', async () => {
    const { stripe } = sandbox;
    const { id, metadata } = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    expect(metadata).toEqual({ a: '1', b: '2' });
    expect((await stripe.customers.update(id, { metadata: { a: '', c: '3' } })).metadata).toEqual({ b: '2', c: '3' });
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
  });
});

test('returns 404 for unknown ids and paths, and rejects a property that cannot be expanded', async () => {
  const { stripe } = sandbox;
  for (const ask of [
    () => stripe.customers.retrieve('cus_x'),
    () => stripe.subscriptions.retrieve('sub_x'),
    () => stripe.subscriptions.update('sub_x', { cancel_at_period_end: true }),
    () => stripe.checkout.sessions.retrieve('cs_x'),
    () => stripe.invoices.retrieve('in_x'),
    () => stripe.events.retrieve('evt_x'),
  ])
    await expect(ask()).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' });
  expect(await send('GET /v1/coupons')).toMatchObject({
    ...{ status: 404, body: { error: { message: 'Unrecognized request URL (GET: /v1/coupons).' } } },
  });
  const { id } = await stripe.customers.create();
  await expect(stripe.customers.retrieve(id, { expand: ['sources'] })).rejects.toMatchObject({ param: 'expand' });
});

describe('an Idempotency-Key', () => {
  test('returns the same response again, even after a restart', async () => {
    const { stripe } = sandbox;
    const create = () => stripe.checkout.sessions.create(aSession(), { idempotencyKey: 'same' });
    const first = await create();
    await sandbox.restart();
    const again = await create();
    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  });

  test('is rejected with other parameters', async () => {
    const { stripe } = sandbox;
    await stripe.customers.create({ name: 'one' }, { idempotencyKey: 'other' });
    await expect(stripe.customers.create({ name: 'two' }, { idempotencyKey: 'other' })).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    );
  });

  test('shared by concurrent requests creates one customer', async () => {
    const { stripe } = sandbox;
    const name = 'at the same time';
    const create = () => stripe.customers.create({ name, email: 'same@example.com' }, { idempotencyKey: name });
    const settled = await Promise.allSettled(Array.from({ length: 8 }, create));
    const made = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
    expect(new Set(made).size).toBe(1);
    for (const one of settled)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    expect((await stripe.customers.list({ email: 'same@example.com' })).data).toHaveLength(1);
  });

  test('of a rejected request can be reused', async () => {
    const { stripe } = sandbox;
    const options = { idempotencyKey: 'refused at first' };
    await expect(stripe.checkout.sessions.create(aSession({ customer: 'cus_x' }), options)).rejects.toThrow();
    expect(await stripe.checkout.sessions.create(aSession(), options)).toMatchObject({ status: 'open' });
  });
});

test('lists are paginated, newest first', async () => {
  const { stripe } = sandbox;
  const email = 'pages@example.com';
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) made.unshift((await stripe.customers.create({ email })).id);
  const first = await stripe.customers.list({ email, limit: 2 });
  expect([first.data.map(({ id }) => id), first.has_more]).toEqual([made.slice(0, 2), true]);
  const last = await stripe.customers.list({ email, limit: 3, starting_after: made[1]! });
  expect([last.data.map(({ id }) => id), last.has_more]).toEqual([made.slice(2), false]);
  const back = await stripe.customers.list({ email, limit: 2, ending_before: made[4]! });
  expect([back.data.map(({ id }) => id), back.has_more]).toEqual([made.slice(2, 4), true]);
  const all: string[] = [];
  for await (const { id } of stripe.customers.list({ email, limit: 2 })) all.push(id);
  expect(all).toEqual(made);
  await expect(stripe.customers.list({ starting_after: 'cus_x' })).rejects.toMatchObject({ param: 'starting_after' });
  await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
});
