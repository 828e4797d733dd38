import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/** Renews the claims of running requests. Returns the claims that have ended, whose keys other requests may have claimed. */
export const renewRequests = ({ requests }: Deps, { claims }: { claims: string[] }): Promise<string[]> =>
  requests.renew(claims);
