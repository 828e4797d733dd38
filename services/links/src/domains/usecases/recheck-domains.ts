import type { ApiDeps } from '../../usecase-deps.js';
import { lookAt } from './verify-domain.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'lookUp' | 'invalidate' | 'now' | 'log'>;

const AT_ONCE = 8;

/**
 * Looks again at verified domains that are due, a few at a time, until none is; each by one replica. What is given up is
 * taken up by whichever comes next.
 */
export async function recheckDomains(deps: Deps, giveUp: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => recheckInTurn(deps, giveUp)));
}

async function recheckInTurn(deps: Deps, giveUp: AbortSignal): Promise<void> {
  while (!giveUp.aborted) {
    const domain = await deps.store.domains.takeDue(deps.now());
    if (!domain) return;
    await lookAt(deps, null, domain, giveUp).catch((error: unknown) => {
      if (!giveUp.aborted) deps.log.warn({ err: error, domainId: domain._id }, 'a domain was not looked at');
    });
  }
}
