import { checkoutStore, type CheckoutStore } from './checkouts.js';
import { invoiceStore, type InvoiceStore } from './invoices.js';
import { leaseStore, type LeaseStore } from './leases.js';
import type { Models } from './models.js';
import { noticeStore, type NoticeStore } from './notices.js';
import { subscriptionStore, type SubscriptionStore } from './subscriptions.js';

/** All collections of this service. */
export interface Store {
  subscriptions: SubscriptionStore;
  invoices: InvoiceStore;
  checkouts: CheckoutStore;
  notices: NoticeStore;
  leases: LeaseStore;
}

export const createStore = (models: Models): Store => ({
  subscriptions: subscriptionStore(models),
  invoices: invoiceStore(models),
  checkouts: checkoutStore(models),
  notices: noticeStore(models),
  leases: leaseStore(models),
});
