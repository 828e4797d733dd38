import { invoiceStore, type InvoiceStore } from './invoices.js';
import type { Models } from './models.js';
import { providerEventStore, type ProviderEventStore } from './provider-events.js';
import { subscriptionStore, type SubscriptionStore } from './subscriptions.js';

/** Everything that this service keeps. */
export interface Store {
  subscriptions: SubscriptionStore;
  invoices: InvoiceStore;
  providerEvents: ProviderEventStore;
}

export const createStore = (models: Models): Store => ({
  subscriptions: subscriptionStore(models),
  invoices: invoiceStore(models),
  providerEvents: providerEventStore(models),
});
