import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningPayments } from '@tautan/local-payments';
import { Kept } from './kept.js';
import type { LocalPartOptions } from './local-part.js';
import { chooseKeptPort, isFree } from './ports.js';
import type { Settings } from './settings.js';

/** The local payments sandbox: where it is, and what it and billing have in common. */
export interface PaymentsFacts {
  /** Where people pay, and where its API is. */
  url: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
}

const SECRET_BYTES = 24;
const keptOf = ({ DATA_DIR }: Settings) => new Kept<Omit<PaymentsFacts, 'url'>>(join(DATA_DIR, 'payments'));

/**
 * Plans the local payments sandbox. Returns undefined if the settings name another provider, or if DEFAULT_PLAN gives every
 * workspace a plan. Its keys are created once for a data folder; its port is kept while it is free, since addresses of invoices
 * contain it.
 */
export async function planPayments(settings: Settings, excluded: number[]): Promise<PaymentsFacts | undefined> {
  if (settings.PAYMENT_SECRET_KEY !== undefined || settings.DEFAULT_PLAN !== 'FREE') return undefined;
  const kept = keptOf(settings);
  const known = kept.read();
  const facts = {
    port: await portOf(settings, known.port, excluded),
    secretKey: known.secretKey ?? `sk_test_${randomBytes(SECRET_BYTES).toString('hex')}`,
    webhookSecret: known.webhookSecret ?? `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`,
  };
  if (facts.port !== known.port) kept.add(facts);
  return { ...facts, url: `http://localhost:${facts.port}` };
}

async function portOf({ BIND_HOST: host, PAYMENT_PORT }: Settings, kept: number | undefined, excluded: number[]) {
  if (PAYMENT_PORT !== undefined) return PAYMENT_PORT;
  if (kept !== undefined && (await isFree(kept, host))) return kept;
  return chooseKeptPort(host, excluded);
}

/** Starts the sandbox. Its code is loaded only here, while the other processes start. */
export async function startLocalPayments(
  { port, url, secretKey, webhookSecret }: PaymentsFacts,
  { settings, baseUrl, ...more }: LocalPartOptions,
): Promise<RunningPayments> {
  const { startPayments } = await import('@tautan/local-payments');
  return startPayments({
    port,
    host: settings.BIND_HOST,
    dataDir: keptOf(settings).folder,
    secretKey,
    webhookSecret,
    webhookUrl: `${baseUrl}/api/v1/billing/provider-webhook`,
    baseUrl: url,
    ...more,
  });
}

/** The environment of billing for the sandbox. Settings of another provider reach it as they are. */
export const paymentsEnvironment = (facts: PaymentsFacts | undefined): NodeJS.ProcessEnv =>
  facts
    ? {
        PAYMENT_API_URL: facts.url,
        PAYMENT_SECRET_KEY: facts.secretKey,
        PAYMENT_WEBHOOK_SECRET: facts.webhookSecret,
      }
    : {};
