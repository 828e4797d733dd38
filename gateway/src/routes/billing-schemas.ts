import type { InvoiceMessage, PlanMessage, SubscriptionMessage } from '@tautan/proto';
import { z } from 'zod';
import { count, identifier, time } from './fields.js';

const planNames = ['FREE', 'PRO', 'BUSINESS'] as const;
const plan = z.enum(planNames);
const currency = z.enum(['IDR', 'USD']);
const shown = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const flag = (description: string, example: boolean) => z.boolean().meta({ description, examples: [example] });
const amount = (description: string, example: number) => z.number().meta({ description, examples: [example] });

/** Body of POST /billing/checkout. */
export const newCheckout = z.strictObject({
  plan: z.enum(['PRO', 'BUSINESS']).meta({ description: 'What to buy.', examples: ['PRO'] }),
  currency: currency.optional().meta({
    description: 'What to pay in: IDR unless it says otherwise; for a higher plan what the subscription is paid in.',
    examples: ['IDR'],
  }),
});

/** Body of POST /billing/downgrade. */
export const downgrade = z.strictObject({
  plan: plan.meta({ description: 'A plan lower than the one of now; FREE is to cancel.', examples: ['PRO'] }),
});

export const planRecord = z
  .object({
    name: plan.meta({ description: 'Its name.', examples: ['PRO'] }),
    price: z
      .object({
        amount: amount('In whole units of the currency.', 149_000),
        currency: currency.meta({ description: 'Currency.', examples: ['IDR'] }),
      })
      .meta({ description: 'What it costs in each interval.' }),
    interval: z.literal('month').meta({ description: 'How often it is paid.', examples: ['month'] }),
    limits: z
      .object({
        links: count('Links that can be created in a month.', 1_000),
        qrCodes: count('QR codes in all.', 100),
        domains: count('Custom domains.', 10),
        members: count('Members, open invitations included.', 10),
        webhookEndpoints: count('Webhook endpoints.', 5),
        clicks: count('Clicks in a month; more are tracked as well.', 250_000),
        analyticsRetentionDays: count('Days that statistics are kept.', 365),
      })
      .meta({ description: 'How much of everything there can be.' }),
    qrLogoEnabled: flag('Whether QR codes can carry a logo.', true),
    rateLimits: z
      .object({ read: count('Reads.', 100), write: count('Writes.', 20) })
      .meta({ description: 'Requests per second.' }),
  })
  .meta({ id: 'Plan', description: 'What a workspace can have.' });
type PlanRecord = z.infer<typeof planRecord>;

export const subscriptionRecord = z
  .object({
    id: identifier('sub', 'Id of the subscription; a workspace has one.'),
    plan: plan.meta({ description: 'What is paid for now.', examples: ['PRO'] }),
    status: z
      .enum(['none', 'active', 'past_due', 'canceled'])
      .meta({ description: 'How it stands at the payment provider.', examples: ['active'] }),
    currency: currency.meta({ description: 'What it is paid in.', examples: ['IDR'] }),
    currentPeriodStart: time('When the paid period began; null without one.').nullable(),
    currentPeriodEnd: time('When it ends; null without one.').nullable(),
    cancelAtPeriodEnd: flag('Whether it ends then.', false),
    pendingPlan: plan
      .nullable()
      .meta({ description: 'What the plan becomes then; null where it stays.', examples: [null] }),
  })
  .meta({ id: 'Subscription', description: 'What a workspace pays for.' });
type SubscriptionRecord = z.infer<typeof subscriptionRecord>;

export const checkoutRecord = z
  .object({
    checkoutUrl: shown('The page of the payment provider to pay at.', 'https://checkout.stripe.com/c/pay/cs_123'),
    sessionId: shown("The provider's id of it.", 'cs_123'),
    expiresAt: time('Until when it can be paid.'),
  })
  .meta({ id: 'Checkout', description: 'Where a plan can be paid.' });

export const invoiceRecord = z
  .object({
    id: identifier('inv', 'Id of the invoice.'),
    date: time('When it was made.'),
    description: shown('What it is for.', '1 × Tautan PRO (at Rp149,000.00 / month)'),
    amount: amount('In whole units of the currency, with cents where it has them; below 0 for a credit.', 149_000),
    currency: shown('Currency (ISO 4217).', 'IDR'),
    status: z
      .enum(['paid', 'failed', 'refunded', 'pending'])
      .meta({ description: 'What became of it.', examples: ['paid'] }),
    invoiceUrl: shown('A page to see it at; null without one.', 'https://invoice.stripe.com/i/in_123').nullable(),
  })
  .meta({ id: 'Invoice', description: 'One entry of the billing history.' });
type InvoiceRecord = z.infer<typeof invoiceRecord>;

export const planExamples = {
  PRO: {
    name: 'PRO',
    price: { amount: 149_000, currency: 'IDR' },
    interval: 'month',
    limits: {
      links: 1_000,
      qrCodes: 100,
      domains: 10,
      members: 10,
      webhookEndpoints: 5,
      clicks: 250_000,
      analyticsRetentionDays: 365,
    },
    qrLogoEnabled: true,
    rateLimits: { read: 100, write: 20 },
  },
} satisfies Record<string, PlanRecord>;

export const subscriptionExample: SubscriptionRecord = {
  id: 'sub_01jd3x8q4v5w6y7z8a9b0c1d2e',
  plan: 'PRO',
  status: 'active',
  currency: 'IDR',
  currentPeriodStart: '2030-01-31T12:00:00.000Z',
  currentPeriodEnd: '2030-02-28T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  pendingPlan: null,
};

export const checkoutExample: z.infer<typeof checkoutRecord> = {
  checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_123',
  sessionId: 'cs_123',
  expiresAt: '2030-02-01T12:00:00.000Z',
};

export const invoiceExample: InvoiceRecord = {
  id: 'inv_01jd3x8q4v5w6y7z8a9b0c1d2e',
  date: '2030-01-31T12:00:00.000Z',
  description: '1 × Tautan PRO (at Rp149,000.00 / month)',
  amount: 149_000,
  currency: 'IDR',
  status: 'paid',
  invoiceUrl: 'https://invoice.stripe.com/i/in_123',
};

/** A plan as the API shows it. */
export function planView({ name, price, limits, rateLimits, qrLogoEnabled }: PlanMessage): PlanRecord {
  // Their order is the document's; every message has them.
  const { links, qrCodes, domains, members, webhookEndpoints, clicks, analyticsRetentionDays } = limits!;
  return {
    name: name as PlanRecord['name'],
    price: { amount: price!.amount, currency: price!.currency as PlanRecord['price']['currency'] },
    interval: 'month',
    limits: { links, qrCodes, domains, members, webhookEndpoints, clicks, analyticsRetentionDays },
    qrLogoEnabled,
    rateLimits: { read: rateLimits!.read, write: rateLimits!.write },
  };
}

/** A subscription as the API shows it: null where it is absent on the wire. */
export const subscriptionView = ({ id, cancelAtPeriodEnd, ...found }: SubscriptionMessage): SubscriptionRecord => ({
  id,
  plan: found.plan as SubscriptionRecord['plan'],
  status: found.status as SubscriptionRecord['status'],
  currency: found.currency as SubscriptionRecord['currency'],
  currentPeriodStart: found.currentPeriodStart ?? null,
  currentPeriodEnd: found.currentPeriodEnd ?? null,
  cancelAtPeriodEnd,
  pendingPlan: (found.pendingPlan as SubscriptionRecord['pendingPlan'] | undefined) ?? null,
});

export const invoiceView = ({
  id,
  date,
  description,
  amount,
  currency,
  ...invoice
}: InvoiceMessage): InvoiceRecord => ({
  id,
  date,
  description,
  amount,
  currency,
  status: invoice.status as InvoiceRecord['status'],
  invoiceUrl: invoice.invoiceUrl ?? null,
});
