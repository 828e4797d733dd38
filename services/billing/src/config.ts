import { z } from 'zod';
import {
  jsonSetting,
  list,
  mongoSettings,
  natsSettings,
  processSettings,
  readConfig,
  rpcSettings,
  withSecureRpc,
} from '@tautan/kit';
import { defaultPlanSetting, planSettings, plansOf } from '@tautan/plans';
import type { StripeSettings } from './provider/stripe-provider.js';

const priceId = z.string().min(1).max(255);
const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' });
/** Also true for text that is not a URL, which `address` reports. */
const hasNoPath = (text: string): boolean => !URL.canParse(text) || `${new URL(text).origin}/` === new URL(text).href;
const origin = address.refine(hasNoPath, 'must have no path');

const plainSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_billing'),
  ...natsSettings,
  ...rpcSettings('billing'),
  /** Public address of this installation, for return URLs. */
  BASE_URL: address.transform((url) => url.replace(/\/+$/, '')).optional(),
  /** Other origins that checkouts and the portal may return to, comma-separated. */
  RETURN_ORIGINS: list().refine(
    (origins) => origins.every((text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text),
    'must be origins, such as https://app.example.com, without a path',
  ),
  /** Stripe's secret key. If unset, paid plans cannot be bought. */
  PAYMENT_SECRET_KEY: z.string().min(1).optional(),
  /** The signing secret of provider webhooks. */
  PAYMENT_WEBHOOK_SECRET: z.string().min(1).optional(),
  /** Origin of a substitute for Stripe. */
  PAYMENT_API_URL: origin.optional(),
  /** Timeout of a request to the provider, milliseconds. */
  PAYMENT_TIMEOUT_MS: z.coerce.number().int().min(100).max(20_000).default(5_000),
  /** Price ids at the provider: {"PRO/IDR": "price_…"}. Other prices are found by lookup key, or created. */
  PAYMENT_PRICES: jsonSetting(
    z
      .strictObject({ 'PRO/IDR': priceId, 'PRO/USD': priceId, 'BUSINESS/IDR': priceId, 'BUSINESS/USD': priceId })
      .partial(),
  ).default({}),
  /** Interval at which each subscription is compared with the provider, milliseconds. */
  RECONCILE_INTERVAL_MS: z.coerce.number().int().min(1_000).max(2_592_000_000).default(86_400_000),
  DEFAULT_PLAN: defaultPlanSetting,
  ...planSettings,
});

const requiredWithPayments = ['PAYMENT_WEBHOOK_SECRET', 'BASE_URL'] as const;

/** All settings of this service. */
export const configSchema = requiredWithPayments.reduce(
  (schema, name) =>
    schema.refine((config) => !config.PAYMENT_SECRET_KEY || config[name] !== undefined, {
      path: [name],
      error: 'must be set if PAYMENT_SECRET_KEY is set',
      // Also runs if other settings are invalid, so that all problems are reported together.
      when: ({ value, issues }) =>
        typeof value === 'object' && value !== null && !issues.some(({ path }) => path?.[0] === name),
    }),
  withSecureRpc(plainSchema).refine(
    ({ PAYMENT_SECRET_KEY, DEFAULT_PLAN }) => !PAYMENT_SECRET_KEY || DEFAULT_PLAN === 'FREE',
    {
      path: ['DEFAULT_PLAN'],
      error: 'must be FREE if PAYMENT_SECRET_KEY is set: plans are either sold or given to every workspace',
    },
  ),
);

export type Config = z.infer<typeof plainSchema>;

/** Reads the settings. Throws a ConfigError that lists all problems. */
export const readBillingConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);

/** Returns the settings of the provider; undefined if none is configured. */
export function stripeOf(config: Config): StripeSettings | undefined {
  const { PAYMENT_SECRET_KEY: secretKey, PAYMENT_WEBHOOK_SECRET: webhookSecret, BASE_URL: baseUrl } = config;
  if (!secretKey || !webhookSecret || !baseUrl) return undefined;
  return {
    secretKey,
    webhookSecret,
    apiUrl: config.PAYMENT_API_URL,
    timeoutMs: config.PAYMENT_TIMEOUT_MS,
    plans: plansOf(config),
    prices: config.PAYMENT_PRICES,
  };
}
