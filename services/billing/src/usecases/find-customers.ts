import { knownCustomers } from '../steps/known-customers.js';
import type { SyncDeps } from '../usecase-deps.js';

/**
 * Creates the missing records of the customers with the newest subscriptions. A record is missing if a backup from
 * before the customer's first checkout was restored.
 */
export async function findCustomers(deps: Pick<SyncDeps, 'store' | 'provider' | 'now'>): Promise<void> {
  await knownCustomers(deps, await deps.provider.newestCustomers());
}
