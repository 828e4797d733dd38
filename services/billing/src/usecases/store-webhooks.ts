import type { CustomerWebhook } from '../store/webhooks.js';
import type { Deps } from '../usecase-deps.js';

/** Stores the webhooks that concern customers of this installation. Returns the ids of these customers. */
export async function storeWebhooks(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  webhooks: CustomerWebhook[],
): Promise<Set<string>> {
  const known = await store.subscriptions.knownCustomers(webhooks.map(({ customerId }) => customerId));
  const accepted = webhooks.filter(({ customerId }) => known.has(customerId));
  if (accepted.length > 0) await store.webhooks.add(accepted, now());
  return known;
}
