import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import type { StoredWebhook } from '../store/models.js';
import { noSubscription } from '../domain/subscription.js';
import { handleWebhooks } from './handle-webhooks.js';

const record = { ...noSubscription, _id: 'sub_1', workspaceId: 'ws_1', customerId: 'cus_1', revision: 1, asked: null };
const webhooks = (count: number, fields: Partial<StoredWebhook> = {}) =>
  Array.from({ length: count }, (_, i) => ({ _id: `evt_${i}`, customerId: 'cus_1', ...fields }) as StoredWebhook);

interface Situation {
  waiting: StoredWebhook[];
  subscription?: object | null;
  /** Whether the subscription cannot be read from the provider. */
  fails?: boolean;
}

/** Handles waiting webhooks. The provider returns an invoice for every id, except that it fails for `in_broken`. */
async function handle({ waiting, subscription = record, fails = false }: Situation) {
  const [requests, handled, postponed, invoices]: string[][] = [[], [], [], []];
  const read = async (name: string) => {
    requests!.push(name);
    if (name.endsWith('broken')) throw new Error('the provider fails');
    return { providerId: name };
  };
  const deps = {
    store: {
      webhooks: {
        waiting: async (_customerId: string, _now: Date, limit: number) => waiting.slice(0, limit),
        markHandled: async (ids: string[]) => void handled!.push(...ids),
        postpone: async (given: StoredWebhook[]) => void postponed!.push(...given.map(({ _id }) => _id)),
      },
      subscriptions: { ofCustomer: async () => subscription, write: async () => true },
      invoices: { put: async (_id: string, { providerId }: { providerId: string }) => void invoices!.push(providerId) },
    },
    provider: {
      subscriptions: async () => {
        requests!.push('subscriptions');
        if (fails) throw new Error('the provider fails');
        return [];
      },
      invoice: (id: string) => read(id),
      refundedInvoices: async (id: string) => [await read(id)],
    },
    transact: (_by: unknown, work: (tx: object) => unknown) => work({ emit: () => undefined }),
    log: createLog('test', 'silent'),
    now: () => new Date(),
  };
  const mayBeMore = await handleWebhooks(deps as never, { customerId: 'cus_1' });
  return { mayBeMore, requests, handled, postponed, invoices };
}

const ids = (given: StoredWebhook[]): string[] => given.map(({ _id }) => _id);
const nothing = { requests: [], handled: [], postponed: [], invoices: [] };

test('without waiting webhooks, the provider is not called', async () => {
  expect(await handle({ waiting: [] })).toEqual({ ...nothing, mayBeMore: false });
});

test.each([
  [1, false],
  [49, false],
  [50, true],
  [51, true],
])(
  'of %d waiting webhooks, up to 50 are handled with one read of the subscription; more may be waiting: %p',
  async (count, mayBeMore) => {
    const waiting = webhooks(count);
    const handled = ids(waiting.slice(0, 50));
    expect(await handle({ waiting })).toEqual({ ...nothing, mayBeMore, handled, requests: ['subscriptions'] });
    // Once a workspace has a new customer at the provider, its earlier customer has no subscription record.
    expect(await handle({ waiting, subscription: null })).toEqual({ ...nothing, mayBeMore, handled });
  },
);

test('each invoice is read once; for a webhook with a charge, the invoices of the charge are read instead', async () => {
  const waiting = [
    ...webhooks(2, { invoiceId: 'in_1' }),
    ...webhooks(1, { chargeId: 'ch_1', invoiceId: 'in_1' }),
    ...webhooks(2, { invoiceId: 'in_2' }),
  ];
  const result = await handle({ waiting });
  expect(result.requests).toEqual(['in_1', 'ch_1', 'in_2', 'subscriptions']);
  expect(result.invoices).toEqual(['in_1', 'ch_1', 'in_2']);
  expect(result).toMatchObject({ handled: ids(waiting), postponed: [], mayBeMore: false });
});

test('a webhook whose invoice cannot be read is postponed and does not delay the others', async () => {
  const [broken, ready] = [webhooks(1, { invoiceId: 'in_broken' }), webhooks(3).slice(1)];
  expect(await handle({ waiting: [...broken, ...ready] })).toMatchObject({
    postponed: ids(broken),
    handled: ids(ready),
    invoices: [],
  });
  const all = webhooks(50, { invoiceId: 'in_broken' });
  expect(await handle({ waiting: all })).toMatchObject({ postponed: ids(all), handled: [], mayBeMore: true });
  expect((await handle({ waiting: all })).requests).not.toContain('subscriptions');
});

test('if the subscription cannot be read, all webhooks are postponed', async () => {
  const waiting = webhooks(50);
  expect(await handle({ waiting, fails: true })).toMatchObject({
    postponed: ids(waiting),
    handled: [],
    mayBeMore: false,
  });
});
