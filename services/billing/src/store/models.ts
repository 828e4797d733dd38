import { strictSchema } from '@tautan/kit/mongo';
import { type Connection, type Model } from 'mongoose';
import type { Invoice } from '../domain/invoice.js';
import type { Subscription } from '../domain/subscription.js';

/** A stored provider webhook. */
export interface StoredWebhook {
  /** The provider's id. */
  _id: string;
  type: string;
  customerId: string;
  invoiceId?: string;
  chargeId?: string;
  receivedAt: Date;
  /** Time of the next attempt to handle it. */
  dueAt: Date;
  attempts: number;
  /** When it was handled; null while it is pending. */
  at: Date | null;
}

const DAY_S = 86_400;
/** Retention of handled webhooks, days. Longer than the provider keeps retrying a webhook. */
const WEBHOOK_DAYS = 30;

const subscription = strictSchema<Subscription>({
  _id: String,
  workspaceId: String,
  customerId: String,
  plan: String,
  status: String,
  currency: String,
  currentPeriodStart: { type: Date, default: null },
  currentPeriodEnd: { type: Date, default: null },
  cancelAtPeriodEnd: Boolean,
  pendingPlan: { type: String, default: null },
  providerId: { type: String, default: null },
  revision: Number,
  asked: { type: { by: Object, at: Date }, _id: false, default: null },
  reconcileAt: { type: Date, default: null },
});
subscription.index({ workspaceId: 1 }, { unique: true });
subscription.index({ customerId: 1 }, { unique: true });
subscription.index({ reconcileAt: 1 });

const invoice = strictSchema<Invoice>({
  _id: String,
  workspaceId: String,
  providerId: String,
  date: Date,
  description: String,
  amount: Number,
  currency: String,
  status: String,
  url: { type: String, default: null },
});
invoice.index({ providerId: 1 }, { unique: true });
invoice.index({ workspaceId: 1, date: -1, _id: -1 });

/** A checkout session that was created here. */
export interface StoredCheckout {
  /** The provider's id. */
  _id: string;
  workspaceId: string;
  at: Date;
}

/** A lease for work that only one replica does at a time. */
export interface StoredLease {
  /** Name of the lease. */
  _id: string;
  /** Random id of the replica that holds it. */
  owner: string;
  /** Incremented when the lease is renewed or taken over. */
  beat: number;
}

/** Retention of checkout session records, days. Longer than the lifetime of a session. */
const CHECKOUT_DAYS = 30;
const checkout = strictSchema<StoredCheckout>({ _id: String, workspaceId: String, at: Date });
checkout.index({ at: 1 }, { expireAfterSeconds: CHECKOUT_DAYS * DAY_S });

const lease = strictSchema<StoredLease>({ _id: String, owner: String, beat: Number });

const webhook = strictSchema<StoredWebhook>({
  _id: String,
  type: { type: String },
  customerId: String,
  invoiceId: String,
  chargeId: String,
  receivedAt: Date,
  dueAt: Date,
  attempts: Number,
  at: { type: Date, default: null },
});
// Documents whose `at` is not a date never expire.
webhook.index({ at: 1 }, { expireAfterSeconds: WEBHOOK_DAYS * DAY_S });
webhook.index({ customerId: 1, at: 1, receivedAt: 1, _id: 1 });
webhook.index({ at: 1, dueAt: 1 });

/** The collections of this service, on one connection. */
export interface Models {
  subscriptions: Model<Subscription>;
  invoices: Model<Invoice>;
  webhooks: Model<StoredWebhook>;
  checkouts: Model<StoredCheckout>;
  leases: Model<StoredLease>;
}

export const createModels = (connection: Connection): Models => ({
  subscriptions: connection.model<Subscription>('subscriptions', subscription, 'subscriptions'),
  invoices: connection.model<Invoice>('invoices', invoice, 'invoices'),
  checkouts: connection.model<StoredCheckout>('checkouts', checkout, 'checkouts'),
  leases: connection.model<StoredLease>('leases', lease, 'leases'),
  webhooks: connection.model<StoredWebhook>('provider_events', webhook, 'provider_events'),
});
