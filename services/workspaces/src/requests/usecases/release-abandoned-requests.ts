import type { LeaseWatch } from '@tautan/kit';
import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
  watch: LeaseWatch;
}

/** Releases the claims whose holder has stopped renewing them. Returns whether there are claims. */
export async function releaseAbandonedRequests({ requests, watch }: Deps): Promise<boolean> {
  const beats = await requests.beats();
  for (const [claim, beat] of watch.stale(beats)) await requests.releaseStale(claim, beat);
  return beats.size > 0;
}
