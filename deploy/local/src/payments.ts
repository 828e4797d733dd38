import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningPayments } from '@tautan/local-payments';
import { StoredSettings } from './stored-settings.js';
import type { LocalProviderOptions } from './local-provider.js';
import { choosePermanentPort, isFree } from './ports.js';
import type { Settings } from './settings.js';

/** URL and keys of the local payment sandbox. */
export interface PaymentsFacts {
  /** URL of its pages and API. */
  url: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
}

const SECRET_BYTES = 24;
const storedSettingsOf = ({ DATA_DIR }: Settings) =>
  new StoredSettings<Omit<PaymentsFacts, 'url'>>(join(DATA_DIR, 'payments'));

/**
 * Chooses the port and keys of the local payment sandbox. Returns undefined if an external provider is configured or
 * DEFAULT_PLAN is not FREE. The keys are created once per data folder. The port stays the same as long as it is free,
 * because invoice URLs contain it.
 */
export async function choosePayments(settings: Settings, excluded: number[]): Promise<PaymentsFacts | undefined> {
  if (settings.PAYMENT_SECRET_KEY !== undefined || settings.DEFAULT_PLAN !== 'FREE') return undefined;
  const stored = storedSettingsOf(settings);
  const known = stored.read();
  const facts = {
    port: await portOf(settings, known.port, excluded),
    secretKey: known.secretKey ?? `sk_test_${randomBytes(SECRET_BYTES).toString('hex')}`,
    webhookSecret: known.webhookSecret ?? `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`,
  };
  if (facts.port !== known.port) stored.add(facts);
  return { ...facts, url: `http://localhost:${facts.port}` };
}

async function portOf({ BIND_HOST: host, PAYMENT_PORT }: Settings, storedPort: number | undefined, excluded: number[]) {
  if (PAYMENT_PORT !== undefined) return PAYMENT_PORT;
  if (storedPort !== undefined && (await isFree(storedPort, host))) return storedPort;
  return choosePermanentPort(host, excluded);
}

/** Starts the sandbox. Loads its code only now, while the other processes start. */
export async function startLocalPayments(
  { port, url, secretKey, webhookSecret }: PaymentsFacts,
  { settings, baseUrl, ...more }: LocalProviderOptions,
): Promise<RunningPayments> {
  const { startPayments } = await import('@tautan/local-payments');
  return startPayments({
    port,
    host: settings.BIND_HOST,
    dataDir: storedSettingsOf(settings).folder,
    secretKey,
    webhookSecret,
    webhookUrl: `${baseUrl}/api/v1/billing/provider-webhook`,
    baseUrl: url,
    ...more,
  });
}

/** Returns the billing service's settings for the sandbox. Without a sandbox, returns no settings. */
export const paymentsEnvironment = (facts: PaymentsFacts | undefined): NodeJS.ProcessEnv =>
  facts
    ? {
        PAYMENT_API_URL: facts.url,
        PAYMENT_SECRET_KEY: facts.secretKey,
        PAYMENT_WEBHOOK_SECRET: facts.webhookSecret,
      }
    : {};
