import {
  currencies,
  defaultPlans,
  limitCatalogue,
  limitNames,
  listedPlanNames,
  paidPlanNames,
  planNames,
  type InvoiceMessage,
  type LimitName,
  type PlanMessage,
  type SubscriptionMessage,
} from '@tautan/proto';
import { z } from 'zod';
import { count, identifier, optionalField, term, time } from './fields.js';

const plan = z.enum(listedPlanNames);
const currency = z.enum(currencies);
const shown = (description: string, example: string) => z.string().meta({ description, examples: [example] });
const flag = (description: string, example: boolean) => z.boolean().meta({ description, examples: [example] });
const amount = (description: string, example: number) => z.number().meta({ description, examples: [example] });

const returnUrl = (description: string) =>
  optionalField(term(2_048).meta({ description, examples: ['https://go.example/settings/billing'] }));

/** Body of POST /billing/checkout. */
export const newCheckout = z.strictObject({
  plan: z.enum(paidPlanNames).meta({ description: 'What to buy.', examples: ['PRO'] }),
  currency: optionalField(
    currency.meta({
      description: 'What to pay in: IDR unless it says otherwise; for a higher plan what the subscription is paid in.',
      examples: ['IDR'],
    }),
  ),
  returnUrl: returnUrl(
    'URL to return to: an http(s) URL of this service or of an origin that the operator allows. The parameters `checkout=paid` and `session_id`, or `checkout=canceled`, are appended to its query. They only say which button was pressed: read `GET /billing/subscription` for the result. By default a page of this service shows the result.',
  ),
});

/** Body of POST /billing/portal. */
export const newPortal = z.strictObject({
  returnUrl: returnUrl(
    'URL that the portal links back to: an http(s) URL of this service or of an origin that the operator allows. Default: a page of this service.',
  ),
});

/** Body of POST /billing/downgrade. */
export const downgrade = z.strictObject({
  plan: plan.meta({ description: 'A plan lower than the one of now; FREE is to cancel.', examples: ['PRO'] }),
});

/** One field for each limit of the catalogue. */
export const limitFields = <F extends z.ZodType>(field: (name: LimitName) => F) =>
  Object.fromEntries(limitNames.map((name) => [name, field(name)])) as Record<LimitName, F>;

const unlimited = 'Null: unlimited.';
const { limits: proLimits, rateLimits: proRates } = defaultPlans.PRO;

export const planRecord = z
  .object({
    name: z.enum(planNames).meta({ description: 'Name of the plan.', examples: ['PRO'] }),
    price: z
      .object({
        amount: amount('In whole units of the currency.', defaultPlans.PRO.prices.IDR),
        currency: currency.meta({ description: 'Currency.', examples: ['IDR'] }),
      })
      .meta({ description: 'Price of one interval.' }),
    interval: z.literal('month').meta({ description: 'Billing interval.', examples: ['month'] }),
    limits: z
      .object({
        ...limitFields((name) =>
          count(`${limitCatalogue[name].description} ${unlimited}`, proLimits[name]!).nullable(),
        ),
        analyticsRetentionDays: count(
          `Days that statistics are kept. ${unlimited}`,
          proLimits.analyticsRetentionDays!,
        ).nullable(),
      })
      .meta({ description: 'What the plan allows.' }),
    qrLogoEnabled: flag('Whether QR codes can carry a logo.', true),
    rateLimits: z
      .object({ read: count('Reads.', proRates.read), write: count('Writes.', proRates.write) })
      .meta({ description: 'Requests per second.' }),
  })
  .meta({ id: 'Plan', description: 'A plan and its limits.' });
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

export const portalRecord = z
  .object({
    portalUrl: shown('The portal of the payment provider.', 'https://billing.stripe.com/p/session/bps_123'),
    expiresAt: time('Time until which the link can be opened.'),
  })
  .meta({ id: 'BillingPortal', description: "A link to the payment provider's customer portal." });

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

const { prices, ...proTerms } = defaultPlans.PRO;
export const planExample: PlanRecord = {
  ...proTerms,
  price: { amount: prices.IDR, currency: 'IDR' },
  interval: 'month',
};

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

export const portalExample: z.infer<typeof portalRecord> = {
  portalUrl: 'https://billing.stripe.com/p/session/bps_123',
  expiresAt: '2030-01-31T12:05:00.000Z',
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

/** A plan as the API shows it: a limit is null where it is absent on the wire. */
export function planView({ name, price, limits, rateLimits, qrLogoEnabled }: PlanMessage): PlanRecord {
  const shown = Object.keys(planRecord.shape.limits.shape) as (keyof PlanRecord['limits'])[];
  return {
    name: name as PlanRecord['name'],
    price: { amount: price!.amount, currency: price!.currency as PlanRecord['price']['currency'] },
    interval: 'month',
    limits: Object.fromEntries(shown.map((limit) => [limit, limits![limit] ?? null])) as PlanRecord['limits'],
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
