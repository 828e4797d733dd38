import { fail } from '@tautan/kit';

/** Cheapest first. */
export const planNames = ['FREE', 'PRO', 'BUSINESS'] as const;
export type PlanName = (typeof planNames)[number];
/** Plans that are paid for. */
export type PaidPlan = Exclude<PlanName, 'FREE'>;

export const currencies = ['IDR', 'USD'] as const;
export type Currency = (typeof currencies)[number];

export interface Plan {
  name: PlanName;
  /** A month's price in whole units of each currency. */
  prices: Record<Currency, number>;
  limits: {
    /** Created in a month. */
    links: number;
    qrCodes: number;
    domains: number;
    members: number;
    webhookEndpoints: number;
    /** Tracked in a month; more are tracked as well. */
    clicks: number;
    analyticsRetentionDays: number;
  };
  qrLogoEnabled: boolean;
  /** Requests per second. */
  rateLimits: { read: number; write: number };
}

export type Plans = Record<PlanName, Plan>;

/** The plans of an installation that configures none of its own. */
export const defaultPlans: Plans = {
  FREE: {
    name: 'FREE',
    prices: { IDR: 0, USD: 0 },
    limits: {
      links: 50,
      qrCodes: 10,
      domains: 1,
      members: 2,
      webhookEndpoints: 1,
      clicks: 10_000,
      analyticsRetentionDays: 30,
    },
    qrLogoEnabled: true,
    rateLimits: { read: 20, write: 4 },
  },
  PRO: {
    name: 'PRO',
    prices: { IDR: 149_000, USD: 9 },
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
  BUSINESS: {
    name: 'BUSINESS',
    prices: { IDR: 449_000, USD: 29 },
    limits: {
      links: 10_000,
      qrCodes: 1_000,
      domains: 50,
      members: 50,
      webhookEndpoints: 20,
      clicks: 2_500_000,
      analyticsRetentionDays: 1_095,
    },
    qrLogoEnabled: true,
    rateLimits: { read: 500, write: 100 },
  },
};

/** How high a plan is: 0 for FREE. */
export const rank = (plan: PlanName): number => planNames.indexOf(plan);

const paidPlans = ['PRO', 'BUSINESS'] as const satisfies readonly PaidPlan[];

/** A plan that can be bought, by its name; undefined for any other text. */
export const paidPlanNamed = (text: string | undefined): PaidPlan | undefined =>
  paidPlans.find((name) => name === text);

/** A plan by its name. Throws VALIDATION_ERROR naming `plan` for one that there is not. */
export function checkPlan(text: string): PlanName {
  const plan = planNames.find((name) => name === text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${planNames.join(', ')}.`, 'plan');
}

/** A plan that can be bought, by its name. Throws VALIDATION_ERROR naming `plan` for any other. */
export function checkPaidPlan(text: string): PaidPlan {
  const plan = paidPlanNamed(text);
  if (plan) return plan;
  throw fail('VALIDATION_ERROR', `plan must be one of ${paidPlans.join(', ')}.`, 'plan');
}

/** A currency by its name. Throws VALIDATION_ERROR naming `currency` for one that is not taken here. */
export function checkCurrency(text: string): Currency {
  const currency = currencies.find((name) => name === text);
  if (currency) return currency;
  throw fail('VALIDATION_ERROR', `currency must be one of ${currencies.join(', ')}.`, 'currency');
}
