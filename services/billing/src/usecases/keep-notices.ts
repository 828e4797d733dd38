import type { CustomerNotice } from '../store/notices.js';
import type { Deps } from './deps.js';

/** Stores the notices that concern customers of this installation. Returns these customers. */
export async function keepNotices(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  notices: CustomerNotice[],
): Promise<Set<string>> {
  const known = await store.subscriptions.knownCustomers(notices.map(({ customerId }) => customerId));
  const kept = notices.filter(({ customerId }) => known.has(customerId));
  if (kept.length > 0) await store.notices.add(kept, now());
  return known;
}
