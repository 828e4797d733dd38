import { z } from 'zod';
import { currencies, listedPlanNames } from '../plans.js';
import { amount, choice, exampleId, flag, identifier, text, time } from './fields.js';

export const subscriptionStatuses = ['none', 'active', 'past_due', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
export const invoiceStatuses = ['paid', 'failed', 'refunded', 'pending'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const subscriptionRecord = z
  .object({
    id: identifier('sub', 'Id of the subscription. A workspace has exactly one.'),
    plan: choice(listedPlanNames, 'Plan that is paid for; `FREE` if there is none.', 'PRO'),
    status: choice(subscriptionStatuses, 'Status at the payment provider; `none` before the first payment.', 'active'),
    currency: choice(currencies, 'Currency of the payments.'),
    currentPeriodStart: time('Start of the paid period; null if there is none.').nullable(),
    currentPeriodEnd: time('End of the paid period; null if there is none.').nullable(),
    cancelAtPeriodEnd: flag('Whether the subscription ends at the end of the period.', false),
    pendingPlan: z
      .enum(listedPlanNames)
      .nullable()
      .meta({ description: 'Plan after the current period; null if it does not change.', examples: [null] }),
  })
  .meta({ id: 'Subscription', description: 'The subscription of a workspace.' });
export type SubscriptionRecord = z.infer<typeof subscriptionRecord>;

export const subscriptionExample: SubscriptionRecord = {
  id: exampleId('sub'),
  plan: 'PRO',
  status: 'active',
  currency: 'IDR',
  currentPeriodStart: '2030-01-31T12:00:00.000Z',
  currentPeriodEnd: '2030-02-28T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  pendingPlan: null,
};

export const checkoutRecord = z
  .object({
    checkoutUrl: text("Address of the payment provider's checkout page.", 'https://checkout.stripe.com/c/pay/cs_123'),
    sessionId: text("The provider's id of the checkout session.", 'cs_123'),
    expiresAt: time('Time at which the checkout session expires.'),
  })
  .meta({ id: 'Checkout', description: 'A checkout session at the payment provider.' });
export type CheckoutRecord = z.infer<typeof checkoutRecord>;

export const checkoutExample: CheckoutRecord = {
  checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_123',
  sessionId: 'cs_123',
  expiresAt: '2030-02-01T12:00:00.000Z',
};

export const portalRecord = z
  .object({
    portalUrl: text('Address of the customer portal.', 'https://billing.stripe.com/p/session/bps_123'),
    expiresAt: time('Time at which `portalUrl` expires.'),
  })
  .meta({ id: 'BillingPortal', description: "A session of the payment provider's customer portal." });
export type PortalRecord = z.infer<typeof portalRecord>;

export const portalExample: PortalRecord = {
  portalUrl: 'https://billing.stripe.com/p/session/bps_123',
  expiresAt: '2030-01-31T12:05:00.000Z',
};

export const invoiceRecord = z
  .object({
    id: identifier('inv', 'Id of the invoice.'),
    date: time('Time at which the invoice was issued.'),
    description: text(
      'Description of the invoice, or of its first item if the invoice has none. May be empty.',
      '1 × Tautan PRO (at Rp149,000.00 / month)',
    ),
    amount: amount('Amount in units of the currency, with decimals for cents. Negative for a credit.', 149_000),
    currency: text('Currency (ISO 4217).', 'IDR'),
    status: choice(invoiceStatuses, 'Status of the payment.'),
    invoiceUrl: text(
      'Address of the invoice; null if there is none.',
      'https://invoice.stripe.com/i/in_123',
    ).nullable(),
  })
  .meta({ id: 'Invoice', description: 'An entry of the billing history.' });
export type InvoiceRecord = z.infer<typeof invoiceRecord>;

export const invoiceExample: InvoiceRecord = {
  id: exampleId('inv'),
  date: '2030-01-31T12:00:00.000Z',
  description: '1 × Tautan PRO (at Rp149,000.00 / month)',
  amount: 149_000,
  currency: 'IDR',
  status: 'paid',
  invoiceUrl: 'https://invoice.stripe.com/i/in_123',
};
