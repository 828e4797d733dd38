import { ensureRecords } from '../steps/ensure-records.js';
import type { SyncDeps } from '../usecase-deps.js';

/**
 * Creates the missing subscription records of the customers with the newest subscriptions at the provider. A record is
 * missing if a backup from before the customer's first checkout was restored.
 */
export async function createMissingRecords(deps: Pick<SyncDeps, 'store' | 'provider' | 'now'>): Promise<void> {
  await ensureRecords(deps, await deps.provider.customersOfNewestSubscriptions());
}
