import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId, newUlid } from '@tautan/kit';
import { inTransaction, makeCollections } from '@tautan/kit/mongo';
import { callEveryMethod, recordSearches, startServers, type StoreCalls, type TestServers } from '@tautan/kit/testing';
import mongoose, { type ClientSession, type Connection } from 'mongoose';
import type { ProvidedInvoice } from '../domain/provided.js';
import { noStanding, type Subscription } from '../domain/subscription.js';
import { createStore } from './index.js';
import { createModels, type Models, type StoredNotice } from './models.js';

let servers: TestServers;
let connection: Connection;
let models: Models;
beforeAll(async () => {
  servers = await startServers();
  connection = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database, monitorCommands: true, autoIndex: false }).asPromise(); // prettier-ignore
  models = createModels(connection);
  await makeCollections(models);
});
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

const [now, id, workspaceId, customerId] = [new Date(), newId('sub'), newId('ws'), 'cus_1'];
const subscription: Subscription = { _id: id, workspaceId, customerId, ...noStanding, revision: 0, asked: null, reconcileAt: now }; // prettier-ignore
const asked = { by: { workspaceId } as never, at: now };
const notice: StoredNotice = { _id: 'evt_1', type: 'invoice.paid', customerId, receivedAt: now, dueAt: now, attempts: 0, at: null }; // prettier-ignore
const invoice: ProvidedInvoice = { providerId: 'in_1', date: now, description: 'PRO', amount: 1, currency: 'USD', status: 'paid', url: null }; // prettier-ignore

/** Calls every method of the stores, each in every way that changes its queries. */
function calls(session: ClientSession): StoreCalls[] {
  const { subscriptions, invoices, checkouts, notices, leases } = createStore(models);
  return [
    {
      store: subscriptions,
      methods: {
        ofWorkspace: () => [subscriptions.ofWorkspace(workspaceId)],
        ofCustomer: () => [subscriptions.ofCustomer(customerId)],
        knownCustomers: () => [subscriptions.knownCustomers([customerId])],
        insert: () => [subscriptions.insert(subscription)],
        ask: () => [subscriptions.ask(id, asked)],
        takeDue: () => [subscriptions.takeDue(now, now)],
        reconcileAt: () => [subscriptions.reconcileAt(newId('sub'), now)],
        write: () => [subscriptions.write({ _id: newId('sub'), revision: 0 }, { ...noStanding, asked: null }, session)],
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
        put: () => [checkouts.put('cs_1', workspaceId, now, { session } as never)],
        workspaceOf: () => [checkouts.workspaceOf('cs_1')],
      },
    },
    {
      store: notices,
      methods: {
        add: () => [notices.add([{ id: 'evt_2', type: 'invoice.paid', customerId }], now)],
        waiting: () => [notices.waiting(customerId, 5)],
        dueCustomers: () => [notices.dueCustomers(now, 5)],
        postpone: () => [notices.postpone([notice], now)],
        markHandled: () => [notices.markHandled([notice._id], now, session)],
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

test('every query of every store uses an index, and sorts by one', async () => {
  const searched = recordSearches(connection);
  await inTransaction(connection, 20_000, (session) => callEveryMethod(calls(session)));
  const { collections, scanning, sorting } = await searched();
  expect(collections).toEqual(new Set(['subscriptions', 'invoices', 'checkouts', 'provider_events', 'leases']));
  expect({ scanning, sorting }).toEqual({ scanning: [], sorting: [] });
}, 30_000);
