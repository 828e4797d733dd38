import type { Stack } from './stack.js';

interface SandboxSubscription {
  id: string;
  status: 'active' | 'past_due' | 'canceled';
  metadata: Record<string, string>;
}

/** Pays at a checkout page, as the button there does; answers where the browser goes then. */
export async function pay(checkoutUrl: string): Promise<string> {
  const answer = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) throw new Error(`not paid: ${answer.status} ${await answer.text()}`);
  return location;
}

/**
 * Ends the current period of a workspace's newest subscription at the sandbox: it is renewed, or ends when it was to end.
 * With `fail` the payment is refused.
 */
export async function endPeriod(
  stack: Stack,
  workspaceId: string,
  outcome: 'pay' | 'fail' = 'pay',
): Promise<SandboxSubscription> {
  const { data } = await ask<{ data: SandboxSubscription[] }>(stack, 'GET', 'subscriptions?status=all&limit=100');
  const found = data.find(({ metadata }) => metadata['workspaceId'] === workspaceId);
  if (!found) throw new Error(`${workspaceId} has no subscription.`);
  return ask(stack, 'POST', `test_helpers/subscriptions/${found.id}/advance`, { outcome });
}

/** Calls the sandbox's API with its secret key; throws what it refused. */
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
