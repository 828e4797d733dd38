import { assertHolder, type RequestHolder } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/**
 * Releases the claims of previous processes of this instance. Throws VALIDATION_ERROR naming `process` if the holder
 * has none.
 */
export async function releaseInstance({ requests }: Deps, holder: RequestHolder): Promise<void> {
  assertHolder(holder);
  if (holder.instance !== null) await requests.releasePredecessors(holder.instance, holder.process);
}
