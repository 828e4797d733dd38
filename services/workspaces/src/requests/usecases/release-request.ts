import type { LeaseWatch, Principal } from '@tautan/kit';
import { assertHolder, requestId, type RequestHolder } from '../domain/idempotency.js';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/**
 * Releases a claim, so that the same request can be retried immediately. Its operation id and fingerprint are kept, because the
 * failed attempt may have had effects. Does nothing if the claim has ended.
 */
export async function releaseRequest(
  { requests }: Deps,
  { by, key, claim }: { by: Principal; key: string; claim: string },
): Promise<void> {
  await requests.release(requestId(by.workspaceId, key), claim);
}

/** Releases the claims of previous processes of this instance. Throws VALIDATION_ERROR naming `process`. */
export async function releaseInstance({ requests }: Deps, holder: RequestHolder): Promise<void> {
  assertHolder(holder);
  if (holder.instance !== null) await requests.releasePredecessors(holder.instance, holder.process);
}

/** Releases the claims whose holder has stopped renewing them. Returns whether there are claims. */
export async function releaseAbandoned({ requests, watch }: Deps & { watch: LeaseWatch }): Promise<boolean> {
  const beats = await requests.beats();
  for (const [claim, beat] of watch.stale(beats)) await requests.releaseStale(claim, beat);
  return beats.size > 0;
}
