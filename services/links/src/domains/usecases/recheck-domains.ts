import type { ApiDeps } from '../../usecase-deps.js';
import type { CustomDomain } from '../domain/custom-domain.js';
import { checkDomain, type CheckDeps } from '../steps/check-domain.js';

type Deps = CheckDeps & Pick<ApiDeps, 'log' | 'signal'>;

const CONCURRENCY = 8;

/**
 * Checks verified domains that are due, several concurrently, each by one replica. Checks that are aborted are repeated
 * after their lease expires.
 */
export async function recheckDomains(deps: Deps): Promise<void> {
  const first = await takeDue(deps);
  // Usually no domain is due, and a single query is enough.
  if (!first) return;
  const workers = Array.from({ length: CONCURRENCY }, async (_, i) =>
    recheckFrom(deps, i === 0 ? first : await takeDue(deps)),
  );
  await Promise.all(workers);
}

/** Claims a due domain. Returns null if there is none, or if the shutdown has begun. */
const takeDue = async ({ store, now, signal }: Deps): Promise<CustomDomain | null> =>
  signal.aborted ? null : store.domains.takeDue(now());

async function recheckFrom(deps: Deps, first: CustomDomain | null): Promise<void> {
  const { signal } = deps;
  for (let domain = first; domain; domain = await takeDue(deps)) {
    const domainId = domain._id;
    await checkDomain(deps, null, domain, signal).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ err: error, domainId }, 'domain could not be checked');
    });
  }
}
