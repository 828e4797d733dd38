import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import type { Posted } from './testing/receiver.js';
import { pay, startService, WEBHOOK_SECRET, type Caller, type TestService } from './testing/service.js';

let service: TestService;
let now = () => new Date();
beforeAll(async () => void (service = await startService({}, () => now())));
afterEach(() => {
  now = () => new Date();
  service.receiver.hold = false;
  service.proxy.reset();
});
afterAll(() => service.stop());

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

/** Signs a webhook that the test creates itself. */
const signed = (event: object, options = {}) => signedText(JSON.stringify(event), options);
function signedText(
  payload: string,
  { secret = WEBHOOK_SECRET, at = Date.now() } = {},
): Pick<Posted, 'payload' | 'signature'> {
  const timestamp = Math.floor(at / 1_000);
  return {
    payload: Buffer.from(payload),
    signature: Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
  };
}
const anEvent = (overrides: object = {}) => ({
  id: `evt_${Math.random()}`,
  object: 'event',
  type: 'customer.subscription.updated',
  data: { object: { id: 'sub_1', customer: 'cus_unknown' } },
  ...overrides,
});

const stored = (id: string) => service.models.webhooks.findById(id).lean();

/** Buys a plan while webhooks are held. Returns the caller, and a function that returns the held webhooks. */
async function boughtWithHeldWebhooks(plan: 'PRO' | 'BUSINESS') {
  const caller = service.as();
  const { checkoutUrl } = await caller.call('CreateCheckout', { plan });
  const { customerId } = await caller.record();
  service.receiver.hold = true;
  await pay(checkoutUrl);
  const received = () => service.receiver.posted.filter(({ customer }) => customer === customerId);
  await service.untilEqual(async () => received().some(({ type }) => type === 'checkout.session.completed'), true);
  await service.untilEqual(async () => received().some(({ type }) => type === 'invoice.paid'), true);
  await service.untilEqual(async () => received().some(({ type }) => type === 'customer.subscription.created'), true);
  return { caller, received };
}

describe('a signature', () => {
  test.each<[string, () => Pick<Posted, 'payload' | 'signature'>]>([
    ['with another secret', () => signed(anEvent(), { secret: 'whsec_other' })],
    ['for other bytes', () => ({ ...signed(anEvent()), payload: Buffer.from(JSON.stringify(anEvent())) })],
    ['older than five minutes', () => signed(anEvent(), { at: Date.now() - 301_000 })],
    ['in an invalid format', () => ({ ...signed(anEvent()), signature: 'nonsense' })],
    ['that is empty', () => ({ ...signed(anEvent()), signature: '' })],
  ])('%s is rejected', async (_name, make) => {
    await expect(service.deliver(make())).rejects.toEqual(fault('VALIDATION_ERROR', 'stripe-signature'));
  });

  test("expires after five minutes by the service's clock", async () => {
    await service.deliver(signed(anEvent(), { at: Date.now() - 290_000 }));
    now = () => new Date(Date.now() + 60_000);
    const late = service.deliver(signed(anEvent(), { at: Date.now() - 290_000 }));
    await expect(late).rejects.toEqual(fault('VALIDATION_ERROR', 'stripe-signature'));
  });
});

describe('an irrelevant webhook', () => {
  test.each([
    ['of an unknown customer', {}],
    ['of an unknown type', { type: 'what.ever' }],
    ['without a customer', { data: { object: { id: 'sub_1', customer: null } } }],
    ['of an unknown payment', { type: 'charge.refunded', data: { object: { id: 'ch_1', customer: 'cus_unknown' } } }],
  ])('%s is acknowledged', async (_name, overrides) => {
    await service.deliver(signed(anEvent(overrides)));
  });
});

describe('a signed body', () => {
  test.each([
    ['that is empty', ''],
    ['that is not JSON', 'id=evt_1&type=invoice.paid'],
    ['that is truncated', '{"id":"evt_1",'],
    ['that is null', 'null'],
    ['that is a list', '[]'],
    ['without a type', '{"id":"evt_1"}'],
    ['without an id', '{"type":"invoice.paid","data":{"object":{"id":"in_1"}}}'],
    ['without an object', '{"id":"evt_1","type":"invoice.paid","data":{}}'],
    ['with a numeric customer', '{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":"in_1","customer":1}}}'],
  ])('%s is rejected with VALIDATION_ERROR', async (_name, payload) => {
    await expect(service.post(signedText(payload))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a customer', () => {
  test.each(['customer.subscription.created', 'customer.subscription.deleted', 'checkout.session.completed'])(
    'without a subscription but with an unpaid checkout stays on FREE after %s has been handled',
    async (type) => {
      const caller = service.as();
      await caller.call('CreateCheckout', { plan: 'PRO', currency: 'USD' });
      const { customerId, revision } = await caller.record();
      await service.deliver(signed(anEvent({ type, data: { object: { id: 'x_1', customer: customerId } } })));
      expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'none', currency: 'USD' });
      expect((await caller.record()).revision).toBe(revision + 1);
    },
  );

  test('loses the plan if its subscription no longer exists at the provider', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const { _id, customerId } = await caller.record();
    const gone = { plan: 'PRO', status: 'active', providerId: 'sub_gone', currentPeriodStart: new Date(0) };
    await service.models.subscriptions.updateOne({ _id }, { $set: gone });
    await service.deliver(signed(anEvent({ data: { object: { id: 'sub_gone', customer: customerId } } })));
    expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'canceled' });
    expect(await caller.events(1)).toMatchObject([{ type: 'subscription.canceled' }]);
  });

  test('that buys again after a cancellation and cancels at once causes one subscription.canceled event', async () => {
    const caller = service.as();
    await caller.subscribed('PRO', 'USD');
    const endNewest = async () => {
      const [newest] = await caller.providerSubscriptions();
      return service.stripe.subscriptions.cancel(newest!.id);
    };
    await endNewest();
    await caller.untilSubscription({ status: 'canceled' });
    service.receiver.hold = true;
    await pay((await caller.call('CreateCheckout', { plan: 'BUSINESS', currency: 'IDR' })).checkoutUrl);
    const { id, customer } = await endNewest();
    await service.deliver(signed(anEvent({ data: { object: { id, customer } } })));
    expect(await caller.subscription()).toMatchObject({ status: 'canceled', currency: 'IDR' });
    const [, canceled, again] = await caller.events(3);
    expect([canceled!.type, again!.type]).toEqual(['subscription.canceled', 'subscription.updated']);
  });
});

describe('a customer whose record was lost', () => {
  /** Buys PRO, and deletes the workspace's subscription record and invoices, as the restore of an older backup does. */
  async function withLostRecord(): Promise<{ caller: Caller; lost: { customerId: string; revision: number } }> {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.invoices(1);
    const { customerId, revision } = await caller.record();
    await service.untilEqual(() => service.models.webhooks.countDocuments({ customerId, at: null }), 0);
    await service.models.subscriptions.deleteOne({ customerId });
    await service.models.invoices.deleteMany({ workspaceId: caller.workspaceId });
    return { caller, lost: { customerId, revision } };
  }
  const aWebhookOf = (customer: string, metadata: unknown) =>
    signed(anEvent({ data: { object: { id: 'sub_1', customer, metadata } } }));

  test('gets the plan again with its next webhook; the new record has a higher revision', async () => {
    const { caller, lost } = await withLostRecord();
    await service.deliver(aWebhookOf(lost.customerId, { workspaceId: caller.workspaceId }));
    expect(await caller.untilSubscription({ status: 'active' })).toMatchObject({ plan: 'PRO' });
    expect((await caller.record()).customerId).toBe(lost.customerId);
    const [, regained] = await caller.events(2);
    expect(regained).toMatchObject({ type: 'subscription.updated', actor: { type: 'system' } });
    expect(regained!.version).toBeGreaterThan(lost.revision);
    await service.stripe.subscriptions.cancel((await caller.record()).providerId!);
    await caller.untilSubscription({ status: 'canceled' });
  });

  test.each([[null], [{}], [{ workspaceId: 'sub_1' }], [{ workspaceId: '' }], [['ws_1']], ['ws_1']])(
    'is ignored if the webhook names no workspace (%j)',
    async (metadata) => {
      await service.deliver(aWebhookOf('cus_other', metadata));
      expect(await service.models.subscriptions.exists({ customerId: 'cus_other' })).toBeNull();
    },
  );

  test('is ignored if the workspace has another customer', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const { customerId } = await caller.record();
    await service.deliver(aWebhookOf('cus_older', { workspaceId: caller.workspaceId }));
    expect((await caller.record()).customerId).toBe(customerId);
    expect(await service.models.webhooks.exists({ customerId: 'cus_older' })).toBeNull();
  });
});

test('a webhook left by a crashed process whose clock was an hour ahead is handled within seconds', async () => {
  const caller = service.as();
  await caller.call('CreateCheckout', { plan: 'PRO' });
  const { customerId } = await caller.record();
  const dueAt = new Date(Date.now() + 3_600_000);
  const _id = anEvent().id;
  await service.models.webhooks.insertMany([
    { _id, type: 'customer.subscription.updated', customerId, receivedAt: dueAt, dueAt, attempts: 0, at: null },
  ]);
  await service.untilEqual(async () => (await service.models.webhooks.findById(_id).lean())?.at instanceof Date, true);
});

test('a webhook is handled even if 50 older ones of its customer fail', async () => {
  const { caller, received } = await boughtWithHeldWebhooks('PRO');
  const { customerId } = await caller.record();
  service.proxy.rule = ({ path }) =>
    path.startsWith('/v1/invoices/in_failing') ? { status: 400, retryAfter: '1' } : 'pass';
  const [receivedAt, dueAt] = [new Date(Date.now() - 60_000), new Date()];
  const failing = Array.from({ length: 50 }, (_, i) => ({ ...anEvent(), invoiceId: `in_failing${i}` }));
  await service.models.webhooks.insertMany(
    failing.map(({ id: _id, invoiceId }) => ({
      ...{ _id, type: 'invoice.paid', customerId, invoiceId },
      ...{ receivedAt, dueAt, attempts: 0, at: null },
    })),
  );
  const webhook = received().find(({ type }) => type === 'customer.subscription.created')!;
  await service.deliver(webhook);
  expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
});

test('200 concurrent webhooks are all accepted and handled', async () => {
  const customers = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const caller = service.as();
      await caller.call('CreateCheckout', { plan: 'PRO' });
      return (await caller.record()).customerId;
    }),
  );
  const ids = Array.from({ length: 200 }, (_, n) => `evt_flood_${n}`);
  const webhooks = ids.map((id, n) =>
    signed(anEvent({ id, data: { object: { id: 'x_1', customer: customers[n % 4] } } })),
  );
  await Promise.all(webhooks.map((webhook) => service.post(webhook)));
  const left = () => service.models.webhooks.countDocuments({ _id: { $in: ids }, at: null });
  await service.untilEqual(left, 0);
  expect(await service.models.webhooks.countDocuments({ _id: { $in: ids } })).toBe(200);
});

describe('webhooks', () => {
  test.each(['in order', 'in reverse order'])('delivered twice, %s, cause one event and one invoice', async (order) => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    const webhooks = order === 'in order' ? received() : received().toReversed();
    for (const webhook of [...webhooks, ...webhooks]) await service.deliver(webhook);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });

  test('cause one event and one invoice when they arrive concurrently, three times each', async () => {
    const { caller, received } = await boughtWithHeldWebhooks('BUSINESS');
    const all = [...received(), ...received(), ...received()];
    await Promise.all(all.map((webhook) => service.deliver(webhook)));
    expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });

  test('do not undo a later cancellation', async () => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    await service.deliver(received().find(({ type }) => type === 'checkout.session.completed')!);
    await caller.call('CancelSubscription', {});
    for (const webhook of received()) await service.deliver(webhook);
    expect(await caller.subscription()).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  });

  test('do not apply the state in their payload', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { customerId, providerId } = await caller.record();
    const object = { id: providerId, customer: customerId, status: 'canceled', metadata: { plan: 'BUSINESS' } };
    await service.deliver(signed(anEvent({ type: 'customer.subscription.deleted', data: { object } })));
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test('never overwrite a newer state of the provider with an older one', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { customerId, providerId } = await caller.record();
    const { requested, release } = service.proxy.holdResponse(({ path }) => path.startsWith('/v1/subscriptions?'));
    const slow = service.deliver(signed(anEvent({ data: { object: { id: providerId, customer: customerId } } })));
    await requested;
    await caller.call('CancelSubscription', {});
    release();
    await slow;
    expect(await caller.subscription()).toMatchObject({ cancelAtPeriodEnd: true });
    const published = await caller.events(2);
    expect(published).toHaveLength(2);
  });

  test('do not change the author of a requested change, even if they arrive before the response to the request', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    // The response to the cancellation is late; the webhook is handled before it arrives.
    const { requested, release } = service.proxy.holdResponse(
      ({ method, body }) => method === 'POST' && body.includes('cancel_at_period_end'),
    );
    const canceling = caller.call('CancelSubscription', {});
    await requested;
    await caller.untilSubscription({ cancelAtPeriodEnd: true });
    release();
    expect(await canceling).toMatchObject({ cancelAtPeriodEnd: true });
    const published = await caller.events(2);
    expect(published).toHaveLength(2);
    expect(published[1]).toMatchObject({ actor: { type: 'user', id: caller.by.id }, requestId: caller.by.requestId });
  });
});

describe('a provider', () => {
  test.each([
    ['with errors', 'fail'],
    ['by losing its responses', 'lose'],
  ] as const)(
    'that fails %s does not cause webhooks to be rejected; they are handled after it recovers',
    async (_name, how) => {
      const { caller, received } = await boughtWithHeldWebhooks('PRO');
      service.proxy.rule = () => how;
      const webhook = received().find(({ type }) => type === 'checkout.session.completed')!;
      await service.post(webhook);
      await service.untilEqual(async () => (await stored(webhook.id))!.attempts > 0, true);
      expect(await caller.subscription()).toMatchObject({ status: 'none' });
      service.proxy.reset();
      expect(await caller.untilSubscription({ status: 'active' })).toMatchObject({ plan: 'PRO' });
    },
  );

  test('that responds too late does not cause a webhook to be rejected', async () => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    const { requested, release } = service.proxy.holdResponse(({ path }) => path.startsWith('/v1/subscriptions?'));
    const webhook = received().find(({ type }) => type === 'checkout.session.completed')!;
    await service.post(webhook);
    await requested;
    expect(await service.isHandled(webhook.id)).toBe(false);
    release();
    expect(await caller.untilSubscription({ status: 'active' })).toMatchObject({ plan: 'PRO' });
  });

  test("that fails to return an invoice does not delay the customer's other webhooks", async () => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    service.proxy.rule = ({ path }) => (path.startsWith('/v1/invoices/') ? 'fail' : 'pass');
    for (const webhook of received()) await service.post(webhook);
    await caller.untilSubscription({ status: 'active', plan: 'PRO' });
    expect((await caller.call('ListInvoices', {})).invoices).toEqual([]);
    service.proxy.reset();
    await caller.invoices(1);
  });

  test('that fails to end a replaced subscription leaves the plan unchanged until it succeeds', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    service.proxy.rule = ({ method }) => (method === 'DELETE' ? 'fail' : 'pass');
    await pay((await caller.call('CreateCheckout', { plan: 'BUSINESS' })).checkoutUrl);
    await service.untilEqual(async () => service.proxy.requests.some(({ method }) => method === 'DELETE'), true);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO' });
    service.proxy.reset();
    await caller.untilSubscription({ plan: 'BUSINESS' });
    expect((await caller.providerSubscriptions()).map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
  });

  test.each<[string, object]>([
    ['it reports an ended subscription as active', { status: 'canceled', plan: 'FREE' }],
    ['it reports an earlier period', { currentPeriodStart: new Date('2100-01-01') }],
  ])(
    'that responds with an outdated state leaves the subscription unchanged until it responds with the latest: %s',
    async (_name, newer) => {
      const caller = service.as();
      await caller.subscribed('PRO');
      const { _id, customerId, currentPeriodStart, status, plan } = await caller.record();
      await service.models.subscriptions.updateOne({ _id }, { $set: newer, $inc: { revision: 1 } });
      const before = await caller.subscription();
      const id = `evt_${customerId}`;
      await service.post(signed(anEvent({ id, data: { object: { id: 'sub_1', customer: customerId } } })));
      await service.untilEqual(async () => (await stored(id))!.attempts > 0, true);
      expect(await caller.subscription()).toEqual(before);
      const older = { currentPeriodStart, status, plan };
      await service.models.subscriptions.updateOne({ _id }, { $set: older, $inc: { revision: 1 } });
      await service.untilEqual(() => service.isHandled(id), true);
      expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
    },
  );
});

describe('a database that fails', () => {
  /** Error code of MongoDB. */
  const HOST_UNREACHABLE = 6;
  const setFailPoint = (command: string, mode: unknown) =>
    service.models.subscriptions.db
      .getClient()
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: [command], errorCode: HOST_UNREACHABLE, appName: 'billing' },
      });

  test('causes a webhook to be rejected, and its redelivery is handled', async () => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    const webhook = received().find(({ type }) => type === 'invoice.paid')!;
    await setFailPoint('find', 'alwaysOn');
    await expect(service.deliver(webhook)).rejects.toEqual(fault('SERVICE_UNAVAILABLE'));
    await setFailPoint('find', 'off');
    expect(await service.untilOk(() => caller.subscription())).toMatchObject({ status: 'none' });
    await service.deliver(webhook);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test.each(['update', 'insert', 'commitTransaction'])('temporarily at %s causes no duplicates', async (command) => {
    const { caller, received } = await boughtWithHeldWebhooks('PRO');
    const webhook = received().find(({ type }) => type === 'invoice.paid')!;
    await setFailPoint(command, { times: 2 });
    // The provider redelivers what was rejected.
    await service.untilEqual(
      () =>
        service.post(webhook).then(
          () => true,
          () => false,
        ),
      true,
    );
    await service.untilEqual(() => service.isHandled(webhook.id), true);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    for (const other of received()) await service.deliver(other);
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });
});
