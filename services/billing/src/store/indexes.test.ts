import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid, type Principal } from '@tautan/kit';
import { inTransaction, createCollections, type Transaction } from '@tautan/kit/mongo';
import { callEveryMethod, recordQueries, startDatabase, type StoreCalls, type TestDatabase } from '@tautan/kit/testing';
import type { ClientSession } from 'mongoose';
import type { ProviderInvoice } from '../domain/provider-objects.js';
import { noSubscription, type Subscription } from '../domain/subscription.js';
import { createStore } from './index.js';
import { createModels, type Models, type StoredWebhook } from './models.js';

let database: TestDatabase<Models>;
let models: Models;
beforeAll(async () => {
  database = await startDatabase(createModels, createCollections);
  models = database.models;
});
afterAll(() => database.stop());

const [now, id, workspaceId, customerId] = [new Date(), newId('sub'), newId('ws'), 'cus_1'];
const subscription: Subscription = {
  _id: id,
  workspaceId,
  customerId,
  ...noSubscription,
  revision: 0,
  asked: null,
  reconcileAt: now,
};
const asked = { by: { workspaceId } as Principal, at: now };
const webhook: StoredWebhook = {
  _id: 'evt_1',
  type: 'invoice.paid',
  customerId,
  receivedAt: now,
  dueAt: now,
  attempts: 0,
  at: null,
};
const invoice: ProviderInvoice = {
  providerId: 'in_1',
  date: now,
  description: 'PRO',
  amount: 1,
  currency: 'USD',
  status: 'paid',
  url: null,
};

/** Returns sample calls of every method of the stores, with every variation of its queries. */
function calls(session: ClientSession): StoreCalls[] {
  const { subscriptions, invoices, checkouts, webhooks, leases } = createStore(models);
  return [
    {
      store: subscriptions,
      methods: {
        ofWorkspace: () => [subscriptions.ofWorkspace(workspaceId)],
        ofCustomer: () => [subscriptions.ofCustomer(customerId)],
        knownCustomers: () => [subscriptions.knownCustomers([customerId])],
        insert: () => [subscriptions.insert(subscription)],
        replaceCustomer: () => [subscriptions.replaceCustomer({ _id: id, customerId: 'cus_0' }, 'cus_2')],
        recordRequest: () => [subscriptions.recordRequest(id, asked)],
        takeDue: () => [subscriptions.takeDue(now, now)],
        reconcileAt: () => [subscriptions.reconcileAt(newId('sub'), now)],
        write: () => [
          subscriptions.write({ _id: newId('sub'), revision: 0 }, { ...noSubscription, asked: null }, session),
        ],
      },
    },
    {
      store: invoices,
      methods: {
        put: () => [invoices.put(workspaceId, invoice, session)],
        page: () => [undefined, { date: now, id: newId('inv') }].map((after) => invoices.page(workspaceId, after, 5)),
      },
    },
    {
      store: checkouts,
      methods: {
        put: () => [checkouts.put('cs_1', workspaceId, now, { session } as Transaction)],
        workspaceOf: () => [checkouts.workspaceOf('cs_1')],
      },
    },
    {
      store: webhooks,
      methods: {
        add: () => [webhooks.add([{ id: 'evt_2', type: 'invoice.paid', customerId }], now)],
        waiting: () => [webhooks.waiting(customerId, now, 5)],
        dueCustomers: () => [webhooks.dueCustomers(now, 5)],
        postpone: () => [webhooks.postpone([webhook], now)],
        markHandled: () => [webhooks.markHandled([webhook._id], now, session)],
      },
    },
    {
      store: leases,
      methods: {
        read: () => [leases.read('reconciliation')],
        take: () => [leases.take(newUlid(), 'x', undefined), leases.take('reconciliation', 'x', 1)],
      },
    },
  ];
}

test('every query of every store uses an index, also for sorting', async () => {
  const readQueries = recordQueries(database.connection);
  await inTransaction(database.connection, 20_000, (session) => callEveryMethod(calls(session)));
  const { collections, scanning, sorting } = await readQueries();
  expect(collections).toEqual(new Set(['subscriptions', 'invoices', 'checkouts', 'provider_events', 'leases']));
  expect({ scanning, sorting }).toEqual({ scanning: [], sorting: [] });
});
