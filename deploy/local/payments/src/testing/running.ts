import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@tautan/kit';
import Stripe from 'stripe';
import type { Invoice } from '../objects/invoices.js';
import type { Subscription } from '../objects/subscriptions.js';
import { startPayments, type PaymentsOptions } from '../start.js';
import { Receiver } from './receiver.js';

export const secretKey = 'sk_test_of_tests';
export const webhookSecret = 'whsec_of_tests';

/** Returns the options of a sandbox for tests. */
export const options = (port: number, dataDir: string, webhookUrl: string): PaymentsOptions => ({
  ...{ port, host: '127.0.0.1', dataDir, secretKey, webhookSecret, webhookUrl },
  log: createLog('payments', 'silent'),
});

/** Returns a client of the official library for a sandbox, without retries. */
export const stripeAt = (port: number, key = secretKey): Stripe =>
  new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });

/** A running sandbox with a client and a webhook receiver. */
export interface Running {
  url: string;
  stripe: Stripe;
  receiver: Receiver;
  dataDir: string;
  /** Restarts the sandbox with the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const started: Running[] = [];

/** Stops all sandboxes of this test file. */
export const stopAll = async (): Promise<void> =>
  void (await Promise.all(started.splice(0).map((running) => running.stop())));

/** Starts a sandbox with a new data folder, which is deleted when the sandbox stops. */
export async function startSandbox(more: Partial<PaymentsOptions> = {}): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tautan-payments-'));
  const receiver = new Receiver(webhookSecret);
  await receiver.start();
  let running = await startPayments({ ...options(0, dataDir, receiver.url), ...more });
  const { port, url } = running;
  const sandbox: Running = {
    ...{ url, dataDir, receiver, stripe: stripeAt(port) },
    restart: async () => {
      await running.stop();
      running = await startPayments({ ...options(port, dataDir, receiver.url), ...more });
    },
    stop: async () => {
      await running.stop();
      await receiver.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
  started.push(sandbox);
  return sandbox;
}

export const successUrl = 'http://localhost:8080/paid?session={CHECKOUT_SESSION_ID}';

/** Returns the parameters of a checkout session: PRO for 149,000 rupiah per month. */
export const aSession = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  ({
    mode: 'subscription',
    line_items: [
      {
        price_data: {
          ...{ currency: 'idr', unit_amount: 14_900_000, recurring: { interval: 'month' } },
          product_data: { name: 'Tautan PRO' },
        },
        quantity: 1,
      },
    ],
    success_url: successUrl,
    cancel_url: 'http://localhost:8080/not-paid',
    ...more,
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** Submits the form of a button on a checkout or invoice page. */
export const submitButton = (
  url: string,
  button: 'pay' | 'decline',
  headers: Record<string, string> = {},
): Promise<Response> => fetch(`${url}/${button}`, { method: 'POST', redirect: 'manual', headers });

/** Creates a subscription through a checkout. */
export async function aSubscription(
  { stripe }: Pick<Running, 'stripe'>,
  more: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const { id, url } = await stripe.checkout.sessions.create(aSession(more));
  const answer = await submitButton(url!, 'pay');
  if (answer.status !== 303) throw new Error(`not paid: ${answer.status}`);
  const { subscription } = await stripe.checkout.sessions.retrieve(id);
  return stripe.subscriptions.retrieve(subscription as string);
}

/** Ends the current period of a subscription. If its latest invoice is open, retries the payment instead. */
export function advance(
  { stripe }: Pick<Running, 'stripe'>,
  id: string,
  outcome?: 'pay' | 'fail',
): Promise<Subscription> {
  const path = `/v1/test_helpers/subscriptions/${id}/advance`;
  return stripe.rawRequest('POST', path, outcome && { outcome });
}

/** Returns the newest invoice of a subscription. */
export async function invoiceOf({ stripe }: Pick<Running, 'stripe'>, subscription: string): Promise<Invoice> {
  const { data } = await stripe.invoices.list({ subscription, limit: 1 });
  return data[0] as unknown as Invoice;
}
