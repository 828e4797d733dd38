import { randomBytes } from 'node:crypto';
import { fail, idForOperation, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { CustomDomain } from '../domain/custom-domain.js';
import { routesByAddress, type DnsResult } from '../domain/dns-records.js';
import { checkDomainName } from '../domain/check-domain-name.js';
import { domainEventTarget, domainView, type DomainView } from '../domain/domain-view.js';
import { collisionOf } from '../../store/index.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { domainTaken, isVerifiedElsewhere } from '../steps/domain-taken.js';

type Deps = Pick<
  ApiDeps,
  'store' | 'transact' | 'inOrder' | 'domains' | 'lookUpTarget' | 'usage' | 'plans' | 'ceilings' | 'now'
>;

const TOKEN_BYTES = 16;

export interface AddDomainInput {
  domain: string;
  /** ULID; repeating the call with the same one returns the domain that the first call added. */
  operationId?: string | undefined;
}

/**
 * Adds a pending domain. Throws VALIDATION_ERROR naming `domain`, DOMAIN_TAKEN if the workspace already has it or
 * another workspace has verified it, or PLAN_LIMIT_EXCEEDED naming `domains`.
 */
export async function addDomain(deps: Deps, by: Principal, input: AddDomainInput): Promise<DomainView> {
  const name = checkDomainName(input.domain, deps.domains.own, deps.domains.allowLocal);
  const result = await initialResult(deps, name);
  const domain = newDomain(by.workspaceId, idForOperation('dom', input.operationId), { name, result, now: deps.now() });
  try {
    return await deps.inOrder(by.workspaceId, async () => {
      const { workspaceId, plan } = by;
      await deps.usage.assertRoom(deps.plans, { workspaceId, plan, limit: 'domains', at: deps.now() });
      return deps.transact(by, (tx) => insert(deps, tx, by, domain));
    });
  } catch (error) {
    // On any error, a repeated call returns the domain that the first one added.
    const isRepeatable = input.operationId !== undefined;
    const earlier = isRepeatable ? await deps.store.domains.byId(by.workspaceId, domain._id) : null;
    if (earlier) return domainView(earlier, deps.domains.target);
    throw collisionOf(error) === 'domain' ? domainTaken() : error;
  }
}

async function insert(deps: Deps, tx: Transaction, by: Principal, domain: CustomDomain): Promise<DomainView> {
  const { workspaceId, plan } = by;
  const at = deps.now();
  await deps.usage.reserveOne(tx.session, deps.plans, { workspaceId, plan, limit: 'domains', at });
  await deps.store.domains.insert(domain, tx.session);
  if (await isVerifiedElsewhere(deps, domain)) throw domainTaken();
  const { pendingDomains } = deps.ceilings;
  if ((await deps.store.domains.countPending(workspaceId, tx.session)) > pendingDomains) {
    const message = `A workspace can have at most ${pendingDomains} unverified domains. Verify or delete some first.`;
    throw fail('VALIDATION_ERROR', message, 'domain');
  }
  const data = domainView(domain, deps.domains.target);
  tx.emit({ type: 'domain.created', target: domainEventTarget(domain), data });
  return data;
}

/**
 * Returns the DNS result that a new domain is stored with. A domain that cannot use a CNAME needs the target's
 * addresses in its DNS records, so this function looks them up. Returns null if the domain can use a CNAME, or if the
 * addresses are configured.
 */
async function initialResult({ domains: { target }, lookUpTarget }: Deps, name: string): Promise<DnsResult | null> {
  if (target.addresses.length > 0 || !routesByAddress(name, target)) return null;
  return { ownership: null, cname: null, a: null, aaaa: null, target: await lookUpTarget() };
}

function newDomain(
  workspaceId: string,
  id: string,
  { name, result, now }: { name: string; result: DnsResult | null; now: Date },
): CustomDomain {
  return {
    _id: id,
    workspaceId,
    name,
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    status: 'pending',
    lastLookup: result,
    lastCheckedAt: null,
    lastError: null,
    verifiedAt: null,
    failingSince: null,
    nextCheckAt: null,
    linkCount: 0,
    createdAt: now,
  };
}
