import { ensureRecords } from '../steps/ensure-records.js';
import type { CustomerWebhook } from '../store/webhooks.js';
import type { Deps } from '../usecase-deps.js';

/** Stores the webhooks that concern customers of this installation. Returns the ids of these customers. */
export async function storeWebhooks(
  deps: Pick<Deps, 'store' | 'now'>,
  webhooks: CustomerWebhook[],
): Promise<Set<string>> {
  const known = await ensureRecords(deps, webhooks);
  const accepted = webhooks.filter(({ customerId }) => known.has(customerId));
  if (accepted.length > 0) await deps.store.webhooks.add(accepted, deps.now());
  return known;
}
