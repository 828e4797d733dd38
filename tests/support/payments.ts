import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.js';

interface SandboxSubscription {
  id: string;
  customer: string;
  cancel_at_period_end: boolean;
  items: { data: { id: string }[] };
  status: 'active' | 'past_due' | 'canceled';
  metadata: Record<string, string>;
}

/** Pays on a checkout page as its button does. Returns the URL that the browser is redirected to. */
export async function pay(checkoutUrl: string): Promise<string> {
  const answer = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) throw new Error(`not paid: ${answer.status} ${await answer.text()}`);
  return location;
}

/**
 * Ends the current period of a workspace's newest subscription at the payment sandbox, which renews or cancels it.
 * With `fail`, the payment is declined; with `card`, the customer's card decides whether it succeeds.
 */
export async function endPeriod(
  stack: Stack,
  workspaceId: string,
  outcome: 'pay' | 'fail' | 'card' = 'pay',
): Promise<SandboxSubscription> {
  const found = await subscriptionOf(stack, workspaceId);
  return ask(stack, 'POST', `test_helpers/subscriptions/${found.id}/advance`, outcome === 'card' ? {} : { outcome });
}

/** Moves a workspace's newest sandbox subscription to the price with this lookup key, as Stripe's dashboard can. */
export async function reprice(stack: Stack, workspaceId: string, lookupKey: string): Promise<void> {
  const found = await subscriptionOf(stack, workspaceId);
  const prices = await ask<{ data: { id: string }[] }>(stack, 'GET', `prices?lookup_keys[0]=${lookupKey}`);
  await ask(stack, 'POST', `subscriptions/${found.id}`, {
    'items[0][id]': found.items.data[0]!.id,
    'items[0][price]': prices.data[0]!.id,
    proration_behavior: 'none',
  });
}

/** Signs a body as the sandbox does. Returns the body and headers of a request to the product's provider webhook. */
export async function signedProviderWebhook(
  stack: Stack,
  body: string,
): Promise<{ body: string; headers: Record<string, string> }> {
  const file = await readFile(join(stack.dataDir, 'payments', 'stack.json'), 'utf8');
  const { webhookSecret } = JSON.parse(file) as { webhookSecret: string };
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` } };
}

/** Posts a signed body to the product's provider webhook. Returns the HTTP status. */
export async function postProviderWebhook(stack: Stack, body: string): Promise<number> {
  const signed = await signedProviderWebhook(stack, body);
  return (await fetch(`${stack.baseUrl}/api/v1/billing/provider-webhook`, { method: 'POST', ...signed })).status;
}

/** Returns the newest subscription of a workspace at the sandbox. Throws if there is none. */
export async function subscriptionOf(stack: Stack, workspaceId: string): Promise<SandboxSubscription> {
  const { data } = await ask<{ data: SandboxSubscription[] }>(stack, 'GET', 'subscriptions?status=all&limit=100');
  const found = data.find(({ metadata }) => metadata['workspaceId'] === workspaceId);
  if (found) return found;
  throw new Error(`${workspaceId} has no subscription.`);
}

/** Calls the sandbox's API with its secret key. Throws if the request fails. */
async function ask<T>(stack: Stack, method: string, path: string, form?: Record<string, string>): Promise<T> {
  const { url, secretKey } = (await stack.quickstart()).payments;
  const answer = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${secretKey}` },
    ...(form && { body: new URLSearchParams(form) }),
  });
  if (!answer.ok) throw new Error(`refused: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
