import type { Principal } from '@tautan/kit';
import type { Changes } from '@tautan/proto';
import { afterLook, type CustomDomain } from '../domain/custom-domain.js';
import { judge, keptLook, localLook, type DnsLook } from '../domain/dns-records.js';
import { domainTarget, domainView, type DomainView } from '../domain/domain-view.js';
import { domainKey, domainRoute } from '../../redirects/domain/route.js';
import { collisionOf } from '../../store/index.js';
import { domainTaken, isVerifiedElsewhere } from './add-domain.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findDomain } from '../steps/find-domain.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'lookUp' | 'invalidate' | 'now'>;

/**
 * Looks a domain's records up now, within 5 s, and verifies it when they hold. Throws NOT_FOUND, FORBIDDEN, or
 * DOMAIN_TAKEN when another workspace verified it first.
 */
export async function verifyDomain(deps: Deps, by: Principal, { id }: { id: string }): Promise<DomainView> {
  const domain = await findDomain(deps, by.workspaceId, id);
  if (await isVerifiedElsewhere(deps, domain)) throw domainTaken();
  return domainView(await lookAt(deps, by, domain), deps.domains.target);
}

/**
 * Looks at a domain and writes what follows, its entry in the routing table and an event included where its state changes.
 * `by`: null for the system. Throws NOT_FOUND when it was removed meanwhile, DOMAIN_TAKEN, or the reason of `giveUp`, after
 * which nothing is written.
 */
export async function lookAt(
  deps: Deps,
  by: Principal | null,
  domain: CustomDomain,
  giveUp?: AbortSignal,
): Promise<CustomDomain> {
  const look = localLook(domain, deps.domains) ?? (await deps.lookUp(domain.name, giveUp));
  giveUp?.throwIfAborted();
  const { before, after } = await applyLook(deps, by, domain, look).catch((error: unknown) => {
    throw collisionOf(error) === 'domain' ? domainTaken() : error;
  });
  if (before !== after.status) deps.invalidate([domainKey(after.name)]);
  return after;
}

function applyLook(deps: Deps, by: Principal | null, { workspaceId, _id }: CustomDomain, look: DnsLook) {
  const { store, domains } = deps;
  return deps.transact(by, async (tx) => {
    const current = await findDomain(deps, workspaceId, _id, tx.session);
    const verdict = judge(current, look, domains.target);
    const kept = keptLook(current, look, domains.target);
    const after = afterLook(current, kept, verdict, { now: deps.now(), checkEveryMs: domains.checkEveryMs });
    await store.domains.update(after, tx.session);
    const emit = (type: 'domain.verified' | 'domain.failing' | 'domain.failed', changes: Changes) =>
      tx.emit({ type, target: domainTarget(after), data: domainView(after, domains.target), changes, workspaceId });
    if (current.status === after.status) {
      const isFirst = current.failingSince === null && after.failingSince !== null;
      if (isFirst) emit('domain.failing', { lastError: { before: current.lastError, after: after.lastError } });
      return { before: current.status, after };
    }
    if (after.status === 'verified') await store.routes.open(domainRoute(after), tx.session);
    else await store.routes.close(workspaceId, domainKey(after.name), tx.session);
    const changes = { status: { before: current.status, after: after.status } };
    emit(after.status === 'verified' ? 'domain.verified' : 'domain.failed', changes);
    return { before: current.status, after };
  });
}
