import { z } from 'zod';
import { currencies, defaultPlans, limitCatalog, limitNames, planNames, type LimitName } from '../plans.js';
import { amount, choice, count, flag } from './fields.js';

/** Returns an object with a field for each limit of the catalog. */
export const limitFields = <F extends z.ZodType>(field: (name: LimitName) => F) =>
  Object.fromEntries(limitNames.map((name) => [name, field(name)])) as Record<LimitName, F>;

const { prices, ...proTerms } = defaultPlans.PRO;
const { limits, rateLimits } = proTerms;

export const planRecord = z
  .object({
    name: choice(planNames, 'Name of the plan.', 'PRO'),
    price: z
      .object({
        amount: amount('Price in whole units of the currency.', prices.IDR),
        currency: choice(currencies, 'Currency (ISO 4217).'),
      })
      .meta({ description: 'Price per interval.' }),
    interval: z.literal('month').meta({ description: 'Billing interval.', examples: ['month'] }),
    limits: z
      .object({
        ...limitFields((name) => count(`${limitCatalog[name].description} Null: unlimited.`, limits[name]!).nullable()),
        analyticsRetentionDays: count(
          'Number of days for which statistics are kept. Null: unlimited.',
          limits.analyticsRetentionDays!,
        ).nullable(),
      })
      .meta({ description: 'Limits of the plan.' }),
    qrLogoEnabled: flag('Whether QR codes can have a logo.', true),
    rateLimits: z
      .object({
        read: count('Reads per second.', rateLimits.read),
        write: count('Writes per second.', rateLimits.write),
      })
      .meta({ description: 'Rate limits of the API.' }),
  })
  .meta({ id: 'Plan', description: 'A plan and its limits.' });
export type PlanRecord = z.infer<typeof planRecord>;

export const planExample: PlanRecord = {
  ...proTerms,
  price: { amount: prices.IDR, currency: 'IDR' },
  interval: 'month',
};
