import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/**
 * Renews the claims of running requests. Returns those that could not be renewed because they have ended; other
 * requests may have claimed their keys since.
 */
export const renewRequests = ({ requests }: Deps, { claims }: { claims: string[] }): Promise<string[]> =>
  requests.renew(claims);
