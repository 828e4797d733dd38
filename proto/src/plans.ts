import { z } from 'zod';

/**
 * The usage limits of a plan by their names in the API. When a limit other than `clicks` is reached, no more items of
 * that kind can be created.
 */
export const limitCatalog = {
  links: {
    noun: 'links per month',
    description: 'Links created in a calendar month (UTC). Deleting a link does not lower the usage.',
  },
  qrCodes: { noun: 'QR codes', description: 'QR codes in total.' },
  domains: { noun: 'custom domains', description: 'Custom domains in total, pending and failed ones included.' },
  members: { noun: 'members', description: 'Members in total, pending invitations included.' },
  webhookEndpoints: { noun: 'webhook endpoints', description: 'Webhook endpoints in total, paused ones included.' },
  clicks: {
    noun: 'clicks per month',
    description:
      'Human clicks tracked in a calendar month (UTC). A soft limit: redirects and tracking continue beyond it.',
  },
} as const;

export type LimitName = keyof typeof limitCatalog;
/** Limits that prevent creation when they are reached. */
export type HardLimitName = Exclude<LimitName, 'clicks'>;
export const limitNames = Object.keys(limitCatalog) as LimitName[];

/** Plans offered to users and listed by `GET /billing/plans`, cheapest first. */
export const listedPlanNames = ['FREE', 'PRO', 'BUSINESS'] as const;
/** All plans. UNLIMITED is for companies that run Tautan for themselves. It is neither listed nor sold. */
export const planNames = [...listedPlanNames, 'UNLIMITED'] as const;
export type ListedPlanName = (typeof listedPlanNames)[number];
export const paidPlanNames = ['PRO', 'BUSINESS'] as const satisfies readonly ListedPlanName[];
export type PaidPlanName = (typeof paidPlanNames)[number];
export type PlanName = (typeof planNames)[number];

export const currencies = ['IDR', 'USD'] as const;
export type Currency = (typeof currencies)[number];

const MAX = 1_000_000_000;
const count = z.number().int().min(0).max(MAX);
const positive = (max = MAX) => z.number().int().min(1).max(max);

/** Schema of a plan. A limit of null means unlimited. */
export const planSchema = z.strictObject({
  /** Monthly price in whole units of each currency. */
  prices: z.strictObject({ IDR: count, USD: count }),
  limits: z.strictObject({
    links: count.nullable(),
    qrCodes: count.nullable(),
    domains: count.nullable(),
    members: positive().nullable(),
    webhookEndpoints: count.nullable(),
    clicks: count.nullable(),
    /** Number of days for which statistics are kept. */
    analyticsRetentionDays: positive(36_500).nullable(),
  }),
  /** Whether QR codes can have a logo. */
  qrLogoEnabled: z.boolean(),
  /** Requests per second. */
  rateLimits: z.strictObject({ read: positive(1_000_000), write: positive(1_000_000) }),
});

export type PlanTerms = z.infer<typeof planSchema>;
export interface Plan extends PlanTerms {
  name: PlanName;
}
export type Plans = Readonly<Record<PlanName, Plan>>;

/** The plans of an installation without overrides. */
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
  UNLIMITED: {
    name: 'UNLIMITED',
    prices: { IDR: 0, USD: 0 },
    limits: {
      links: null,
      qrCodes: null,
      domains: null,
      members: null,
      webhookEndpoints: null,
      clicks: null,
      analyticsRetentionDays: null,
    },
    qrLogoEnabled: true,
    rateLimits: { read: 2_000, write: 500 },
  },
};

const overrideSchema = planSchema
  .extend({
    prices: planSchema.shape.prices.partial(),
    limits: planSchema.shape.limits.partial(),
    rateLimits: planSchema.shape.rateLimits.partial(),
  })
  .partial()
  .strict();

/** Schema of an installation's changes to the plans: `{"PRO": {"limits": {"links": 2000}}}`. */
export const planOverridesSchema = z
  .strictObject({
    FREE: overrideSchema,
    PRO: overrideSchema,
    BUSINESS: overrideSchema,
    UNLIMITED: overrideSchema,
  })
  .partial();
export type PlanOverrides = z.infer<typeof planOverridesSchema>;

/** Returns the default plans with the overrides applied; later overrides win. */
export const withOverrides = (...overrides: PlanOverrides[]): Plans =>
  overrides.reduce<Plans>(
    (plans, override) =>
      Object.fromEntries(
        planNames.map((name) => [name, changedPlan(plans[name], override[name] ?? {})]),
      ) as unknown as Plans,
    defaultPlans,
  );

const changedPlan = (
  plan: Plan,
  { prices, limits, rateLimits, qrLogoEnabled }: NonNullable<PlanOverrides[PlanName]>,
): Plan => ({
  name: plan.name,
  prices: { ...plan.prices, ...prices },
  limits: { ...plan.limits, ...limits },
  qrLogoEnabled: qrLogoEnabled ?? plan.qrLogoEnabled,
  rateLimits: { ...plan.rateLimits, ...rateLimits },
});

/** Returns the text if it is the name of a plan, undefined otherwise. */
export const parsePlanName = (text: string | undefined): PlanName | undefined =>
  planNames.find((name) => name === text);
