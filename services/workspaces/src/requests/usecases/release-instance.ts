import { assertHolder, type RequestHolder } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/**
 * Releases the claims of previous processes of the holder's instance. Throws VALIDATION_ERROR naming `process` if the
 * holder's `process` is empty.
 */
export async function releaseInstance({ requests }: Deps, holder: RequestHolder): Promise<void> {
  assertHolder(holder);
  if (holder.instance !== null) await requests.releasePredecessors(holder.instance, holder.process);
}
