import { Schema, type Connection, type Model } from 'mongoose';
import type { Invoice } from '../domain/invoice.js';
import type { Subscription } from '../domain/subscription.js';

/** A notice of the provider that was acted on. */
export interface ProviderEvent {
  /** The provider's id. */
  _id: string;
  type: string;
  at: Date;
}

const options = { versionKey: false, minimize: false, timestamps: false } as const;
const DAY_S = 86_400;
/** Longer than the provider repeats a notice. */
const PROVIDER_EVENT_DAYS = 30;

const subscription = new Schema<Subscription>(
  {
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
  },
  options,
);
subscription.index({ workspaceId: 1 }, { unique: true });
subscription.index({ customerId: 1 }, { unique: true });

const invoice = new Schema<Invoice>(
  {
    _id: String,
    workspaceId: String,
    providerId: String,
    date: Date,
    description: String,
    amount: Number,
    currency: String,
    status: String,
    url: { type: String, default: null },
  },
  options,
);
invoice.index({ providerId: 1 }, { unique: true });
invoice.index({ workspaceId: 1, date: -1, _id: -1 });

const providerEvent = new Schema<ProviderEvent>({ _id: String, type: { type: String }, at: Date }, options);
providerEvent.index({ at: 1 }, { expireAfterSeconds: PROVIDER_EVENT_DAYS * DAY_S });

/** The collections of this service, on one connection. */
export interface Models {
  subscriptions: Model<Subscription>;
  invoices: Model<Invoice>;
  providerEvents: Model<ProviderEvent>;
}

export const createModels = (connection: Connection): Models => ({
  subscriptions: connection.model<Subscription>('subscriptions', subscription, 'subscriptions'),
  invoices: connection.model<Invoice>('invoices', invoice, 'invoices'),
  providerEvents: connection.model<ProviderEvent>('provider_events', providerEvent, 'provider_events'),
});
