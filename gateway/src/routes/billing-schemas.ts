import { currencies, listedPlanNames, paidPlanNames } from '@tautan/proto';
import { z } from 'zod';
import { optionalField, nonEmptyText } from './fields.js';

const returnUrl = (description: string) =>
  optionalField(nonEmptyText(2_048).meta({ description, examples: ['https://go.example/settings/billing'] }));

/** Body of POST /billing/checkout. */
export const newCheckout = z.strictObject({
  plan: z.enum(paidPlanNames).meta({ description: 'Plan to buy.', examples: ['PRO'] }),
  currency: optionalField(
    z.enum(currencies).meta({
      description:
        'Currency of the payments. IDR by default. An upgrade uses the currency of the current subscription.',
      examples: ['IDR'],
    }),
  ),
  returnUrl: returnUrl(
    'URL to return to: an http(s) URL of this service or of an origin that the operator allows. The parameters `checkout=paid` and `session_id`, or `checkout=canceled`, are appended to its query. They do not confirm the payment: read `GET /billing/subscription` for the result. By default, a page of this service shows the result.',
  ),
});

/** Body of POST /billing/portal. */
export const newPortal = z.strictObject({
  returnUrl: returnUrl(
    'URL that the portal links back to: an http(s) URL of this service or of an origin that the operator allows. A page of this service by default.',
  ),
});

/** Body of POST /billing/downgrade. */
export const downgrade = z.strictObject({
  plan: z
    .enum(listedPlanNames)
    .meta({ description: 'A plan below the current one. FREE cancels the subscription.', examples: ['PRO'] }),
});
