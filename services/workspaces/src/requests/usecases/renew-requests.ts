import type { IdempotentRequestStore } from '../store/idempotent-requests.js';

interface Deps {
  requests: IdempotentRequestStore;
}

/** Renews claims of running requests. Returns those that have ended: another request may hold the key. */
export const renewRequests = ({ requests }: Deps, { claims }: { claims: string[] }): Promise<string[]> =>
  requests.renew(claims);
