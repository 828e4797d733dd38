import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import type { Posted } from './testing/receiver.js';
import { pay, startService, WEBHOOK_SECRET, type TestService } from './testing/service.js';

let service: TestService;
let now = () => new Date();
beforeAll(async () => void (service = await startService({}, () => now())));
afterEach(() => {
  now = () => new Date();
  service.receiver.keep = false;
  service.proxy.reset();
});
afterAll(() => service.stop());

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

/** A notice that the test creates and signs itself. */
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

const stored = (id: string) => service.models.notices.findById(id).lean();

/** Buys a plan while notices are kept back; answers them all. */
async function boughtInSilence(plan: 'PRO' | 'BUSINESS') {
  const caller = service.as();
  const { checkoutUrl } = await caller.call('CreateCheckout', { plan });
  const { customerId } = await caller.record();
  service.receiver.keep = true;
  await pay(checkoutUrl);
  const came = () => service.receiver.posted.filter(({ customer }) => customer === customerId);
  await service.untilEqual(async () => came().some(({ type }) => type === 'checkout.session.completed'), true);
  await service.untilEqual(async () => came().some(({ type }) => type === 'invoice.paid'), true);
  await service.untilEqual(async () => came().some(({ type }) => type === 'customer.subscription.created'), true);
  return { caller, came };
}

describe('a signature', () => {
  test.each<[string, () => Pick<Posted, 'payload' | 'signature'>]>([
    ['by another secret', () => signed(anEvent(), { secret: 'whsec_other' })],
    ['of other bytes', () => ({ ...signed(anEvent()), payload: Buffer.from(JSON.stringify(anEvent())) })],
    ['of before five minutes', () => signed(anEvent(), { at: Date.now() - 301_000 })],
    ['that is none', () => ({ ...signed(anEvent()), signature: 'nonsense' })],
    ['that is empty', () => ({ ...signed(anEvent()), signature: '' })],
  ])('%s is refused', async (_name, make) => {
    await expect(service.hand(make())).rejects.toEqual(fault('VALIDATION_ERROR', 'stripe-signature'));
  });

  test('of just under five minutes ago is good, by the clock of the service', async () => {
    await service.hand(signed(anEvent(), { at: Date.now() - 290_000 }));
    now = () => new Date(Date.now() + 60_000);
    const late = service.hand(signed(anEvent(), { at: Date.now() - 290_000 }));
    await expect(late).rejects.toEqual(fault('VALIDATION_ERROR', 'stripe-signature'));
  });
});

describe('what concerns nobody here is acknowledged', () => {
  test.each([
    ['of an unknown customer', {}],
    ['of an unknown type', { type: 'what.ever' }],
    ['without a customer', { data: { object: { id: 'sub_1', customer: null } } }],
    ['of an unknown payment', { type: 'charge.refunded', data: { object: { id: 'ch_1', customer: 'cus_unknown' } } }],
  ])('a notice %s', async (_name, overrides) => {
    await service.hand(signed(anEvent(overrides)));
  });
});

describe('a signed body', () => {
  test.each([
    ['that is empty', ''],
    ['that is no JSON', 'id=evt_1&type=invoice.paid'],
    ['that is cut off', '{"id":"evt_1",'],
    ['that is null', 'null'],
    ['that is a list', '[]'],
    ['without a type', '{"id":"evt_1"}'],
    ['without an id', '{"type":"invoice.paid","data":{"object":{"id":"in_1"}}}'],
    ['without an object', '{"id":"evt_1","type":"invoice.paid","data":{}}'],
    [
      'of a customer that is a number',
      '{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":"in_1","customer":1}}}',
    ],
  ])('%s is VALIDATION_ERROR', async (_name, payload) => {
    await expect(service.post(signedText(payload))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a customer without a subscription', () => {
  test.each(['customer.subscription.created', 'customer.subscription.deleted', 'checkout.session.completed'])(
    'is acknowledged and changes nothing: %s with an unpaid checkout',
    async (type) => {
      const caller = service.as();
      await caller.call('CreateCheckout', { plan: 'PRO', currency: 'USD' });
      const { customerId, revision } = await caller.record();
      await service.hand(signed(anEvent({ type, data: { object: { id: 'x_1', customer: customerId } } })));
      expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'none', currency: 'USD' });
      expect((await caller.record()).revision).toBe(revision + 1);
    },
  );

  test('loses the plan if its subscription is gone at the provider', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const { _id, customerId } = await caller.record();
    const gone = { plan: 'PRO', status: 'active', providerId: 'sub_gone', currentPeriodStart: new Date(0) };
    await service.models.subscriptions.updateOne({ _id }, { $set: gone });
    await service.hand(signed(anEvent({ data: { object: { id: 'sub_gone', customer: customerId } } })));
    expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'canceled' });
    expect(await caller.events(1)).toMatchObject([{ type: 'subscription.canceled' }]);
  });
});

test('a notice whose process died with its clock an hour ahead is acted on within seconds', async () => {
  const caller = service.as();
  await caller.call('CreateCheckout', { plan: 'PRO' });
  const { customerId } = await caller.record();
  const dueAt = new Date(Date.now() + 3_600_000);
  const _id = anEvent().id;
  await service.models.notices.insertMany([{ _id, type: 'customer.subscription.updated', customerId, receivedAt: dueAt, dueAt, attempts: 0, at: null }]); // prettier-ignore
  await service.untilEqual(async () => (await service.models.notices.findById(_id).lean())?.at instanceof Date, true);
});

test('200 notices at once are all taken and acted on', async () => {
  const customers = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const caller = service.as();
      await caller.call('CreateCheckout', { plan: 'PRO' });
      return (await caller.record()).customerId;
    }),
  );
  const ids = Array.from({ length: 200 }, (_, n) => `evt_flood_${n}`);
  const notices = ids.map((id, n) =>
    signed(anEvent({ id, data: { object: { id: 'x_1', customer: customers[n % 4] } } })),
  );
  await Promise.all(notices.map((notice) => service.post(notice)));
  const left = () => service.models.notices.countDocuments({ _id: { $in: ids }, at: null });
  await service.untilEqual(left, 0);
  expect(await service.models.notices.countDocuments({ _id: { $in: ids } })).toBe(200);
});

describe('in whatever order notices come, and however often', () => {
  test.each(['as they came', 'the other way round'])('%s, there is one event and one invoice', async (order) => {
    const { caller, came } = await boughtInSilence('PRO');
    const notices = order === 'as they came' ? came() : came().toReversed();
    for (const notice of [...notices, ...notices]) await service.hand(notice);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });

  test('all at once, and each three times', async () => {
    const { caller, came } = await boughtInSilence('BUSINESS');
    const all = [...came(), ...came(), ...came()];
    await Promise.all(all.map((notice) => service.hand(notice)));
    expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });

  test('one from before a cancellation does not undo it', async () => {
    const { caller, came } = await boughtInSilence('PRO');
    await service.hand(came().find(({ type }) => type === 'checkout.session.completed')!);
    await caller.call('CancelSubscription', {});
    for (const notice of came()) await service.hand(notice);
    expect(await caller.subscription()).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  });

  test('what the payload says of the state is not believed', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { customerId, providerId } = await caller.record();
    const object = { id: providerId, customer: customerId, status: 'canceled', metadata: { plan: 'BUSINESS' } };
    await service.hand(signed(anEvent({ type: 'customer.subscription.deleted', data: { object } })));
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test('a look at the provider from before is never written over one from after', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { customerId, providerId } = await caller.record();
    const { held, release } = service.proxy.holdAnswer(({ path }) => path.startsWith('/v1/subscriptions?'));
    const slow = service.hand(signed(anEvent({ data: { object: { id: providerId, customer: customerId } } })));
    await held;
    await caller.call('CancelSubscription', {});
    release();
    await slow;
    expect(await caller.subscription()).toMatchObject({ cancelAtPeriodEnd: true });
    const told = await caller.events(2);
    expect(told).toHaveLength(2);
  });

  test('a change is theirs who asked for it, even where the notice of it is faster', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    // The answer to the cancellation comes late: the notice has been acted on by then.
    const { held, release } = service.proxy.holdAnswer(({ method, body }) => method === 'POST' && body.includes('cancel_at_period_end')); // prettier-ignore
    const canceling = caller.call('CancelSubscription', {});
    await held;
    await caller.stands({ cancelAtPeriodEnd: true });
    release();
    expect(await canceling).toMatchObject({ cancelAtPeriodEnd: true });
    const told = await caller.events(2);
    expect(told).toHaveLength(2);
    expect(told[1]).toMatchObject({ actor: { type: 'user', id: caller.by.id }, requestId: caller.by.requestId });
  });
});

describe('a provider that fails', () => {
  test.each(['fail', 'lose'] as const)(
    '(%s) does not fail a notice: it is acted on once the provider is back',
    async (how) => {
      const { caller, came } = await boughtInSilence('PRO');
      service.proxy.rule = () => how;
      const notice = came().find(({ type }) => type === 'checkout.session.completed')!;
      await service.post(notice);
      await service.untilEqual(async () => (await stored(notice.id))!.attempts > 0, true);
      expect(await caller.subscription()).toMatchObject({ status: 'none' });
      service.proxy.reset();
      expect(await caller.stands({ status: 'active' })).toMatchObject({ plan: 'PRO' });
    },
  );

  test('to respond in time does not fail a notice', async () => {
    const { caller, came } = await boughtInSilence('PRO');
    const { held, release } = service.proxy.holdAnswer(({ path }) => path.startsWith('/v1/subscriptions?'));
    const notice = came().find(({ type }) => type === 'checkout.session.completed')!;
    await service.post(notice);
    await held;
    expect(await service.isHandled(notice.id)).toBe(false);
    release();
    expect(await caller.stands({ status: 'active' })).toMatchObject({ plan: 'PRO' });
  });

  test('for one notice does not hold up the others of the customer', async () => {
    const { caller, came } = await boughtInSilence('PRO');
    service.proxy.rule = ({ path }) => (path.startsWith('/v1/invoices/') ? 'fail' : 'pass');
    for (const notice of came()) await service.post(notice);
    await caller.stands({ status: 'active', plan: 'PRO' });
    expect((await caller.call('ListInvoices', {})).invoices).toEqual([]);
    service.proxy.reset();
    await caller.invoices(1);
  });

  test('to end what was replaced changes nothing until it succeeds', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    service.proxy.rule = ({ method }) => (method === 'DELETE' ? 'fail' : 'pass');
    await pay((await caller.call('CreateCheckout', { plan: 'BUSINESS' })).checkoutUrl);
    await service.untilEqual(async () => service.proxy.asked.some(({ method }) => method === 'DELETE'), true);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO' });
    service.proxy.reset();
    await caller.stands({ plan: 'BUSINESS' });
    expect((await caller.provided()).map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
  });

  test.each<[string, object]>([
    ['a subscription that has ended is active', { status: 'canceled', plan: 'FREE' }],
    ['an earlier period', { currentPeriodStart: new Date('2100-01-01') }],
  ])('to respond with its latest state changes nothing until it does: %s', async (_name, newer) => {
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
  });
});

describe('a database that fails', () => {
  const failing = (command: string, mode: unknown) =>
    service.models.subscriptions.db
      .getClient()
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode, data: { failCommands: [command], errorCode: 6, appName: 'billing' } }); // prettier-ignore

  test('makes the notice come again', async () => {
    const { caller, came } = await boughtInSilence('PRO');
    const notice = came().find(({ type }) => type === 'invoice.paid')!;
    await failing('find', 'alwaysOn');
    await expect(service.hand(notice)).rejects.toEqual(fault('SERVICE_UNAVAILABLE'));
    await failing('find', 'off');
    expect(await service.untilOk(() => caller.subscription())).toMatchObject({ status: 'none' });
    await service.hand(notice);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test.each(['update', 'insert', 'commitTransaction'])('for a moment at %s makes nothing double', async (command) => {
    const { caller, came } = await boughtInSilence('PRO');
    const notice = came().find(({ type }) => type === 'invoice.paid')!;
    await failing(command, { times: 2 });
    // The provider sends again what was refused.
    await service.untilEqual(() => service.post(notice).then(() => true, () => false), true); // prettier-ignore
    await service.untilEqual(() => service.isHandled(notice.id), true);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
    expect(await caller.invoices(1)).toHaveLength(1);
    for (const other of came()) await service.hand(other);
    expect(await caller.invoices(1)).toHaveLength(1);
    expect(await caller.events(1)).toHaveLength(1);
  });
});
