import { z } from 'zod';
import { mongoSettings, natsSettings, processSettings, readConfig, rpcSettings } from '@tautan/kit';
import { currencies, defaultPlans, type Plan, type PlanName, type Plans } from './domain/plans.js';
import type { StripeSettings } from './provider/stripe-provider.js';

const whole = (most: number, least = 0) => z.number().int().min(least).max(most);
const most = 1_000_000_000;

/** What may be said of a plan; what is left out stays as it is by default. */
const planChange = z.strictObject({
  prices: z.strictObject({ IDR: whole(most), USD: whole(most) }).partial(),
  limits: z
    .strictObject({
      links: whole(most),
      qrCodes: whole(most),
      domains: whole(most),
      members: whole(most, 1),
      webhookEndpoints: whole(most),
      clicks: whole(most),
      analyticsRetentionDays: whole(36_500, 1),
    })
    .partial(),
  qrLogoEnabled: z.boolean(),
  rateLimits: z.strictObject({ read: whole(1_000_000, 1), write: whole(1_000_000, 1) }).partial(),
}).partial(); // prettier-ignore

/** JSON of a schema; complaints name the field within. */
const json = <S extends z.ZodType>(schema: S) =>
  z.string().transform((text, context): z.infer<S> => {
    const complain = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return complain('must be JSON');
    }
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    return complain(result.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; '));
  });

const plan = (name: PlanName) =>
  json(planChange)
    .transform((change, context): Plan => {
      const standard = defaultPlans[name];
      const prices = { ...standard.prices, ...change.prices };
      if (name !== 'FREE' || currencies.every((currency) => prices[currency] === 0)) {
        const limits = { ...standard.limits, ...change.limits };
        const rateLimits = { ...standard.rateLimits, ...change.rateLimits };
        return { name, prices, limits, rateLimits, qrLogoEnabled: change.qrLogoEnabled ?? standard.qrLogoEnabled };
      }
      context.addIssue({ code: 'custom', message: 'prices: must be 0' });
      return z.NEVER;
    })
    .default(defaultPlans[name]);

const priceId = z.string().min(1).max(255);
const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });
const isOrigin = (text: string): boolean => !URL.canParse(text) || `${new URL(text).origin}/` === new URL(text).href;
const origin = address.refine(isOrigin, 'must have no path');

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_billing'),
  ...natsSettings,
  ...rpcSettings,
  /** gRPC target of the workspaces service. */
  WORKSPACES_ADDRESS: z.string().min(1),
  /** The public address: where people come back to from the provider's page. */
  BASE_URL: address.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** Stripe's secret key. Without it nothing can be bought, and everything is on the plan that operators gave it. */
  PAYMENT_SECRET_KEY: z.string().min(1).optional(),
  /** What notices of the provider are signed with. */
  PAYMENT_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** Origin of what stands in for Stripe. */
  PAYMENT_API_URL: origin.optional(),
  /** Longest wait for one answer of the provider, milliseconds. */
  PAYMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(5_000),
  /** Ids of prices at the provider: {"PRO/IDR": "price_…"}. What is missing is made there. */
  PAYMENT_PRICES: json(
    z.strictObject({ 'PRO/IDR': priceId, 'PRO/USD': priceId, 'BUSINESS/IDR': priceId, 'BUSINESS/USD': priceId }).partial(),
  ).default({}), // prettier-ignore
  /** What is different from the plans by default, as JSON. */
  PLAN_FREE: plan('FREE'),
  PLAN_PRO: plan('PRO'),
  PLAN_BUSINESS: plan('BUSINESS'),
});

const neededWithPayments = ['PAYMENT_WEBHOOK_SECRET', 'BASE_URL'] as const;

/** Every setting of this service. */
export const configSchema = neededWithPayments.reduce(
  (schema, name) =>
    schema.refine((config) => !config.PAYMENT_SECRET_KEY || config[name] !== undefined, {
      path: [name],
      error: 'must be set',
      // Told together with every other problem, not only once those are mended.
      when: ({ value, issues }) =>
        typeof value === 'object' && value !== null && !issues.some(({ path }) => path?.[0] === name),
    }),
  plainSchema,
);

export type Config = z.infer<typeof plainSchema>;

/** Reads the settings. Throws a ConfigError that names all problems. */
export const readBillingConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);

export const plansOf = ({ PLAN_FREE, PLAN_PRO, PLAN_BUSINESS }: Config): Plans => ({
  FREE: PLAN_FREE,
  PRO: PLAN_PRO,
  BUSINESS: PLAN_BUSINESS,
});

/** The provider's settings, or undefined where none is configured. */
export function stripeOf(config: Config): StripeSettings | undefined {
  const { PAYMENT_SECRET_KEY: secretKey, PAYMENT_WEBHOOK_SECRET: webhookSecret, BASE_URL: baseUrl } = config;
  if (!secretKey || !webhookSecret || !baseUrl) return undefined;
  return {
    secretKey,
    webhookSecret,
    apiUrl: config.PAYMENT_API_URL,
    timeoutMs: config.PAYMENT_TIMEOUT_MS,
    successUrl: `${baseUrl}/?checkout=paid`,
    cancelUrl: `${baseUrl}/?checkout=canceled`,
    plans: plansOf(config),
    prices: config.PAYMENT_PRICES,
  };
}
