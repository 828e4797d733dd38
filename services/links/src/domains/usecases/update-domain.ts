import { changesBetween, type Principal } from '@tautan/kit';
import { noPages, parseDomainChange, type DomainChange, type DomainPages } from '../domain/domain-pages.js';
import { domainEventTarget, domainView, type DomainView } from '../domain/domain-view.js';
import { domainKey, domainRoute } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findDomain } from '../steps/find-domain.js';
import { hostOf, selfDestination } from '../steps/served-hosts.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'rules' | 'servedHosts' | 'invalidate'>;

const urlFields = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

/**
 * Updates the brand and the fallback URLs of a domain. Throws NOT_FOUND, FORBIDDEN, or VALIDATION_ERROR naming the
 * field.
 */
export async function updateDomain(
  deps: Deps,
  by: Principal,
  { id, ...input }: DomainChange & { id: string },
): Promise<DomainView> {
  const change = parseDomainChange(input, deps.rules);
  await refuseServedHosts(deps, change);
  const view = await deps.transact(by, async (tx) => {
    const domain = await findDomain(deps, by.workspaceId, id, tx.session);
    refuseOwnName(domain.name, change);
    const next = { ...domain, pages: { ...noPages, ...domain.pages, ...change } };
    const [before, data] = [domainView(domain, deps.domains.target), domainView(next, deps.domains.target)];
    const changes = changesBetween(before, data);
    if (Object.keys(changes).length === 0) return data;
    await deps.store.domains.setPages(next, tx.session);
    if (next.status === 'verified') await deps.store.routes.enableDomain(domainRoute(next), tx.session);
    tx.emit({ type: 'domain.updated', target: domainEventTarget(next), data, changes });
    return data;
  });
  deps.invalidate([domainKey(view.domain)]);
  return view;
}

async function refuseServedHosts({ servedHosts }: Pick<Deps, 'servedHosts'>, change: Partial<DomainPages>) {
  for (const field of urlFields) {
    const url = change[field];
    if (url) await servedHosts.assertNotServed(url, field);
  }
}

/**
 * Refuses redirects to the domain itself, which would loop. An unverified domain is not a served host, so
 * `refuseServedHosts` does not refuse it.
 */
function refuseOwnName(name: string, change: Partial<DomainPages>): void {
  for (const field of urlFields) {
    const url = change[field];
    if (url && hostOf(url) === name) throw selfDestination(field);
  }
}
