import type { ApiDeps } from '../../usecase-deps.js';
import { checkDomain, type CheckDeps } from '../steps/check-domain.js';

type Deps = CheckDeps & Pick<ApiDeps, 'log'>;

const CONCURRENCY = 8;

/**
 * Checks verified domains that are due, several concurrently, each by one replica. Checks that are aborted are repeated
 * after their lease expires.
 */
export async function recheckDomains(deps: Deps, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: CONCURRENCY }, () => recheckNext(deps, signal)));
}

async function recheckNext(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const domain = await deps.store.domains.takeDue(deps.now());
    if (!domain) return;
    await checkDomain(deps, null, domain, signal).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ err: error, domainId: domain._id }, 'domain could not be checked');
    });
  }
}
