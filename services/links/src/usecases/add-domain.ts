import { randomBytes } from 'node:crypto';
import { fail, type Principal } from '@tautan/kit';
import type { CustomDomain } from '../domain/custom-domain.js';
import { checkDomainName } from '../domain/domain-name.js';
import { domainTarget, domainView, type DomainView } from '../domain/domain-view.js';
import { domainKey } from '../domain/route.js';
import { collisionOf } from '../store/index.js';
import type { ApiDeps } from './deps.js';
import { operationIdOf } from './operation-id.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'domains' | 'now'>;

const MOST_DOMAINS = 1_000;
const TOKEN_BYTES = 16;

export interface AddDomainInput {
  domain: string;
  /** ULID; a repetition with the same one answers the domain that the first one added. */
  operationId?: string | undefined;
}

/**
 * Adds a domain, pending until it is verified. Throws VALIDATION_ERROR naming `domain`, or DOMAIN_TAKEN when the workspace
 * has it already or another one has verified it.
 */
export async function addDomain(deps: Deps, by: Principal, input: AddDomainInput): Promise<DomainView> {
  const domain = newDomain(by.workspaceId, operationIdOf('dom', input.operationId), checkDomainName(input.domain, deps.domains.own), deps.now()); // prettier-ignore
  try {
    return await deps.transact(by, async (tx) => {
      // First of all, so that a repetition finds what the operation made, however things stand now.
      await deps.store.domains.insert(domain, tx.session);
      if (await isVerifiedElsewhere(deps, domain)) throw domainTaken();
      const count = await deps.store.domains.count(by.workspaceId, tx.session);
      if (count > MOST_DOMAINS) throw fail('VALIDATION_ERROR', `A workspace has at most ${MOST_DOMAINS} domains.`, 'domain'); // prettier-ignore
      const data = domainView(domain, deps.domains.target);
      tx.emit({ type: 'domain.created', target: domainTarget(domain), data });
      return data;
    });
  } catch (error) {
    if (collisionOf(error) !== 'domain') throw error;
    const earlier = await deps.store.domains.byId(by.workspaceId, domain._id);
    if (!earlier) throw domainTaken();
    return domainView(earlier, deps.domains.target);
  }
}

export const domainTaken = (): Error =>
  fail('DOMAIN_TAKEN', 'The domain is here already, or verified by another workspace.', 'domain');

/** Whether another workspace has verified the name of a domain: its entry in the routing table says so. */
export async function isVerifiedElsewhere(
  { store }: Pick<ApiDeps, 'store'>,
  { workspaceId, name }: Pick<CustomDomain, 'workspaceId' | 'name'>,
): Promise<boolean> {
  const entry = await store.routes.byKey(domainKey(name));
  return entry !== null && entry.workspaceId !== workspaceId;
}

function newDomain(workspaceId: string, id: string, name: string, now: Date): CustomDomain {
  return {
    _id: id,
    workspaceId,
    name,
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    status: 'pending',
    look: null,
    lastCheckedAt: null,
    lastError: null,
    verifiedAt: null,
    failingSince: null,
    nextCheckAt: null,
    linkCount: 0,
    createdAt: now,
  };
}
