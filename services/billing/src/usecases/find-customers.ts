import { knownCustomers } from '../steps/known-customers.js';
import type { SyncDeps } from '../usecase-deps.js';

/**
 * Creates the missing records of the customers with the newest subscriptions, which lost them if a backup from before
 * their first checkout was restored.
 */
export async function findCustomers(deps: Pick<SyncDeps, 'store' | 'provider' | 'now'>): Promise<void> {
  await knownCustomers(deps, await deps.provider.newestCustomers());
}
