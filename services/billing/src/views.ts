import type { Invoice } from './domain/invoice.js';
import type { Currency, Plan } from '@tautan/proto';
import { subscriptionView, type SubscriptionState } from './domain/subscription.js';
import type { Checkout, Portal } from './provider/payment-provider.js';

// Messages of the gRPC API. Fields that are null in the domain are absent here, because protobuf has no null.

const withoutNulls = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

export const planMessage = ({ prices, limits, ...plan }: Plan, currency: Currency = 'IDR') => ({
  ...plan,
  limits: withoutNulls(limits),
  price: { amount: prices[currency], currency },
  interval: 'month',
});

export function subscriptionMessage(subscription: SubscriptionState & { _id: string }) {
  const { currentPeriodStart, currentPeriodEnd, pendingPlan, ...view } = subscriptionView(subscription);
  return {
    ...view,
    ...(currentPeriodStart !== null && { currentPeriodStart }),
    ...(currentPeriodEnd !== null && { currentPeriodEnd }),
    ...(pendingPlan !== null && { pendingPlan }),
  };
}

export const checkoutMessage = ({ url, sessionId, expiresAt }: Checkout) => ({
  checkoutUrl: url,
  sessionId,
  expiresAt: expiresAt.toISOString(),
});

export const portalMessage = ({ url, expiresAt }: Portal) => ({ portalUrl: url, expiresAt: expiresAt.toISOString() });

export const invoiceMessage = ({ _id, date, description, amount, currency, status, url }: Invoice) => ({
  id: _id,
  date: date.toISOString(),
  description,
  amount,
  currency,
  status,
  ...(url !== null && { invoiceUrl: url }),
});
