import type { LeaseWatch } from '@tautan/kit';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  watch: LeaseWatch;
}

/** Releases the claims that their holders no longer renew. Returns whether any claims existed. */
export async function releaseAbandonedRequests({ requests, watch }: Deps): Promise<boolean> {
  const beats = await requests.beats();
  for (const [claim, beat] of watch.stale(beats)) await requests.releaseStale(claim, beat);
  return beats.size > 0;
}
