import type { ApiDeps } from '../../usecase-deps.js';
import type { CustomDomain } from '../domain/custom-domain.js';
import { lookAt } from './verify-domain.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'lookUp' | 'invalidate' | 'now' | 'log'>;

const AT_ONCE = 8;

/**
 * Looks again at verified domains that are due, a few at a time, until none is; each by one replica. What is given up is
 * taken up by whichever comes next.
 */
export async function recheckDomains(deps: Deps, giveUp: AbortSignal): Promise<void> {
  const first = await takeDue(deps);
  // Usually none is due, which one query shows.
  if (!first) return;
  const turns = Array.from({ length: AT_ONCE }, async (_, i) =>
    recheckInTurn(deps, giveUp, i === 0 ? first : await takeDue(deps)),
  );
  await Promise.all(turns);
}

const takeDue = ({ store, now }: Deps): Promise<CustomDomain | null> => store.domains.takeDue(now());

async function recheckInTurn(deps: Deps, giveUp: AbortSignal, first: CustomDomain | null): Promise<void> {
  for (let domain = first; domain && !giveUp.aborted; domain = await takeDue(deps)) {
    const domainId = domain._id;
    await lookAt(deps, null, domain, giveUp).catch((error: unknown) => {
      if (!giveUp.aborted) deps.log.warn({ err: error, domainId }, 'a domain was not looked at');
    });
  }
}
