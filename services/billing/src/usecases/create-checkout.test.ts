import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@tautan/kit';
import { noSubscription, type Subscription } from '../domain/subscription.js';
import type { CheckoutRequest } from '../provider/payment-provider.js';
import type { Deps } from '../usecase-deps.js';
import { createCheckout } from './create-checkout.js';

const now = new Date('2030-01-01T00:00:00.000Z');
const by = { workspaceId: 'ws_1', role: 'admin', plan: 'FREE' } as Principal;
const aRecord = (fields: Partial<Subscription>): Subscription => ({
  ...{ ...noSubscription, revision: 1, asked: null, reconcileAt: null },
  ...{ _id: 'sub_1', workspaceId: 'ws_1', customerId: 'cus_1' },
  ...fields,
});
const live = { plan: 'PRO', status: 'active', providerId: 'stripe_1' } as const;

interface Situation {
  record?: Subscription;
  /** The customers at the provider. */
  customers?: { customerId: string; workspaceId: string }[];
  /** Whether the provider does not know the customers that it creates. */
  forgetsNew?: boolean;
}

/**
 * Returns a function that creates a checkout, and the effects of its calls: the requests to the provider, the events,
 * and the stored record.
 */
function aWorkspace({
  record,
  customers = [{ customerId: 'cus_1', workspaceId: 'ws_1' }],
  forgetsNew = false,
}: Situation = {}) {
  let stored = record ?? null;
  const existing = [...customers];
  const requests: CheckoutRequest[] = [];
  const created: unknown[][] = [];
  const events: unknown[] = [];
  const sessions = new Set<string>();
  const deps = {
    store: {
      subscriptions: {
        ofWorkspace: async () => stored,
        insert: async (first: Subscription) => void (stored = first),
        replaceCustomer: async ({ _id, customerId }: Pick<Subscription, '_id' | 'customerId'>, replacement: string) => {
          if (stored?._id === _id && stored.customerId === customerId) stored = { ...stored, customerId: replacement };
          return stored;
        },
      },
      checkouts: { put: async (id: string) => !sessions.has(id) && Boolean(sessions.add(id)) },
    },
    provider: {
      customersOfNewestSubscriptions: async () => customers,
      createCustomer: async (workspaceId: string, replaced?: string) => {
        created.push([workspaceId, replaced]);
        if (!forgetsNew) existing.push({ customerId: 'cus_new', workspaceId });
        return 'cus_new';
      },
      createCheckout: async (request: CheckoutRequest) => {
        requests.push(request);
        const isKnown = existing.some(({ customerId }) => customerId === request.customerId);
        return isKnown ? { url: 'https://pay.example', sessionId: `cs_${request.key}`, expiresAt: now } : null;
      },
    },
    returnUrls: { checkout: (url?: string) => ({ successUrl: `${url}?paid`, cancelUrl: `${url}?canceled` }) },
    transact: (author: Principal, work: (tx: object) => unknown) =>
      work({ emit: (event: object) => void events.push({ ...event, author }) }),
    now: () => now,
  };
  const checkOut = (input: Partial<Parameters<typeof createCheckout>[2]> = {}) =>
    createCheckout(deps as unknown as Deps, by, { plan: 'BUSINESS', operationId: 'op', ...input });
  return { checkOut, requests, created, events, stored: () => stored };
}

const refused = (code: string, field?: string) => expect.objectContaining({ code, field });

test('a checkout returns to the given URL, and a repeated request emits no second event', async () => {
  const { checkOut, requests, events } = aWorkspace();
  const input = { plan: 'PRO', returnUrl: 'https://go.example' };
  const first = await checkOut(input);
  const target = { type: 'checkout', id: 'cs_op', label: 'PRO' };
  const data = { sessionId: 'cs_op', plan: 'PRO', currency: 'IDR' };
  expect(events).toEqual([{ type: 'checkout.created', target, data, author: by }]);
  expect(await checkOut(input)).toEqual(first);
  expect(events).toHaveLength(1);
  const urls = { successUrl: 'https://go.example?paid', cancelUrl: 'https://go.example?canceled' };
  const wanted = { workspaceId: 'ws_1', customerId: 'cus_1', plan: 'PRO', currency: 'IDR', key: 'op', ...urls };
  expect(requests).toEqual([wanted, wanted]);
});

describe('the currency of a checkout', () => {
  test.each([
    [undefined, 'USD'],
    ['USD', 'USD'],
  ])('for an upgrade is that of the subscription if %s is requested', async (currency, expected) => {
    const { checkOut, requests } = aWorkspace({ record: aRecord({ ...live, currency: 'USD' }) });
    await checkOut({ currency });
    expect(requests).toMatchObject([{ currency: expected }]);
  });

  test.each([
    [undefined, 'IDR'],
    ['IDR', 'IDR'],
    ['USD', 'USD'],
  ])('does not depend on an ended subscription: if %s is requested, it is %s', async (currency, expected) => {
    const { checkOut, requests } = aWorkspace({ record: aRecord({ ...live, status: 'canceled', currency: 'USD' }) });
    await checkOut({ currency });
    expect(requests).toMatchObject([{ currency: expected }]);
  });
});

test('an upgrade is rejected while a payment is overdue, and no checkout is requested', async () => {
  const { checkOut, requests } = aWorkspace({ record: aRecord({ ...live, status: 'past_due' }) });
  await expect(checkOut()).rejects.toEqual(refused('SUBSCRIPTION_STATE'));
  expect(requests).toEqual([]);
});

test('a plan can be bought again after the subscription has ended', async () => {
  const ended = aRecord({ ...live, status: 'canceled' });
  const { checkOut, requests } = aWorkspace({ record: ended });
  await checkOut({ plan: 'PRO' });
  expect(requests).toMatchObject([{ plan: 'PRO', customerId: 'cus_1' }]);
});

describe('the customer of a checkout', () => {
  test('is created at the first checkout', async () => {
    const { checkOut, requests, created, stored } = aWorkspace({
      customers: [{ customerId: 'cus_9', workspaceId: 'ws_9' }],
    });
    await checkOut({ currency: 'USD' });
    expect(created).toEqual([['ws_1', undefined]]);
    expect(requests).toMatchObject([{ customerId: 'cus_new' }]);
    expect(stored()).toMatchObject({ _id: 'sub_1', customerId: 'cus_new', currency: 'USD', status: 'none' });
  });

  test('is the one that the workspace already has at the provider if its record was lost', async () => {
    const customers = ['cus_9', 'cus_1'].map((customerId) => ({
      customerId,
      workspaceId: customerId.replace('cus', 'ws'),
    }));
    const { checkOut, requests, created } = aWorkspace({ customers });
    await checkOut();
    expect(created).toEqual([]);
    expect(requests).toMatchObject([{ customerId: 'cus_1' }]);
  });

  test('is replaced if the provider lacks it', async () => {
    const { checkOut, requests, created, stored } = aWorkspace({ record: aRecord({}), customers: [] });
    expect(await checkOut()).toMatchObject({ sessionId: 'cs_op' });
    expect(created).toEqual([['ws_1', 'cus_1']]);
    expect(requests.map(({ customerId }) => customerId)).toEqual(['cus_1', 'cus_new']);
    expect(stored()).toMatchObject({ customerId: 'cus_new' });
  });

  test('is replaced only once per request; if the provider lacks the new one, too, the request fails', async () => {
    const { checkOut, created, events } = aWorkspace({ record: aRecord({}), customers: [], forgetsNew: true });
    await expect(checkOut()).rejects.toEqual(refused('UPSTREAM_UNAVAILABLE'));
    expect([created.length, events]).toEqual([1, []]);
  });
});
