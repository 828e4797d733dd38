import { checkoutStore, type CheckoutStore } from './checkouts.js';
import { invoiceStore, type InvoiceStore } from './invoices.js';
import { leaseStore, type LeaseStore } from './leases.js';
import type { Models } from './models.js';
import { webhookStore, type WebhookStore } from './webhooks.js';
import { subscriptionStore, type SubscriptionStore } from './subscriptions.js';

/** All stores of this service. */
export interface Store {
  subscriptions: SubscriptionStore;
  invoices: InvoiceStore;
  checkouts: CheckoutStore;
  webhooks: WebhookStore;
  leases: LeaseStore;
}

export const createStore = (models: Models): Store => ({
  subscriptions: subscriptionStore(models),
  invoices: invoiceStore(models),
  checkouts: checkoutStore(models),
  webhooks: webhookStore(models),
  leases: leaseStore(models),
});
