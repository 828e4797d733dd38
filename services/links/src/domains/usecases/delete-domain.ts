import { fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { domainEventTarget, domainView } from '../domain/domain-view.js';
import { domainKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findDomain } from '../steps/find-domain.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'inOrder' | 'domains' | 'usage' | 'invalidate' | 'now'>;

/** Deletes a domain. Throws NOT_FOUND or FORBIDDEN. Throws DOMAIN_IN_USE if the domain has links. */
export async function deleteDomain(deps: Deps, by: Principal, { id }: { id: string }): Promise<{ id: string }> {
  const { workspaceId } = by;
  const remove = async (tx: Transaction): Promise<string> => {
    const domain = await findDomain(deps, workspaceId, id, tx.session);
    // A link that is created concurrently increments this count, so that the two transactions conflict.
    if (domain.linkCount > 0) throw fail('DOMAIN_IN_USE', 'The domain has links. Delete them first.');
    await deps.store.domains.remove(workspaceId, id, tx.session);
    await deps.usage.release(tx.session, { workspaceId, limit: 'domains', count: 1, at: deps.now() });
    await deps.store.routes.disableDomain(workspaceId, domainKey(domain.name), tx.session);
    const data = domainView(domain, deps.domains.target);
    tx.emit({ type: 'domain.deleted', target: domainEventTarget(domain), data });
    return domain.name;
  };
  const name = await deps.inOrder(workspaceId, () => deps.transact(by, remove));
  deps.invalidate([domainKey(name)]);
  return { id };
}
