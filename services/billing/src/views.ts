import type { Invoice } from './domain/invoice.js';
import type { Currency, Plan } from '@tautan/proto';
import { subscriptionView, type Standing } from './domain/subscription.js';
import type { Checkout, Portal } from './provider/payment-provider.js';

// What the domain has, on the wire: absent where the API shows null.

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

export const planMessage = ({ prices, limits, ...plan }: Plan, currency: Currency = 'IDR') => ({
  ...plan,
  limits: present(limits),
  price: { amount: prices[currency], currency },
  interval: 'month',
});

export function subscriptionMessage(subscription: Standing & { _id: string }) {
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
