import type { Principal } from '@tautan/kit';
import type { Changes } from '@tautan/proto';
import { domainKey, domainRoute } from '../../redirects/domain/route.js';
import { collisionOf } from '../../store/index.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { afterCheck, type CustomDomain } from '../domain/custom-domain.js';
import { evaluateRecords, boundedResult, localResult, type DnsResult } from '../domain/dns-records.js';
import { domainEventTarget, domainView } from '../domain/domain-view.js';
import { domainTaken } from './domain-taken.js';
import { findDomain } from './find-domain.js';

export type CheckDeps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'lookUp' | 'invalidate' | 'now'>;

/**
 * Checks the DNS records of a domain and writes the result. If the status changes, also updates the domain's entry in
 * the routing table and emits an event. Emits `domain.failing` when the records of a verified domain are first found to
 * be wrong. `by` is null for the system. Throws NOT_FOUND if the domain was deleted meanwhile, DOMAIN_TAKEN if another
 * workspace has verified it, or the reason of `signal` if that is aborted during the lookup. In these cases, nothing is
 * written.
 */
export async function checkDomain(
  deps: CheckDeps,
  by: Principal | null,
  domain: CustomDomain,
  signal?: AbortSignal,
): Promise<CustomDomain> {
  const result = localResult(domain, deps.domains) ?? (await deps.lookUp(domain.name, signal));
  signal?.throwIfAborted();
  const { previousStatus, after } = await applyResult(deps, by, domain, result).catch((error: unknown) => {
    throw collisionOf(error) === 'domain' ? domainTaken() : error;
  });
  if (previousStatus !== after.status) deps.invalidate([domainKey(after.name)]);
  return after;
}

function applyResult(deps: CheckDeps, by: Principal | null, { workspaceId, _id }: CustomDomain, result: DnsResult) {
  const { store, domains } = deps;
  return deps.transact(by, async (tx) => {
    const current = await findDomain(deps, workspaceId, _id, tx.session);
    const checked = evaluateRecords(current, result, domains.target);
    const stored = boundedResult(current, result, domains.target);
    const after = afterCheck(current, stored, checked, { now: deps.now(), checkEveryMs: domains.checkEveryMs });
    await store.domains.update(after, tx.session);
    const emit = (type: 'domain.verified' | 'domain.failing' | 'domain.failed', changes: Changes) =>
      tx.emit({
        type,
        target: domainEventTarget(after),
        data: domainView(after, domains.target),
        changes,
        workspaceId,
      });
    if (current.status === after.status) {
      const startsFailing = current.failingSince === null && after.failingSince !== null;
      if (startsFailing) emit('domain.failing', { lastError: { before: current.lastError, after: after.lastError } });
      return { previousStatus: current.status, after };
    }
    if (after.status === 'verified') await store.routes.enableDomain(domainRoute(after), tx.session);
    else await store.routes.disableDomain(workspaceId, domainKey(after.name), tx.session);
    const changes = { status: { before: current.status, after: after.status } };
    emit(after.status === 'verified' ? 'domain.verified' : 'domain.failed', changes);
    return { previousStatus: current.status, after };
  });
}
