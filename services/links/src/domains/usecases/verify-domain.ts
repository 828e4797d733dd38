import type { Principal } from '@tautan/kit';
import { domainView, type DomainView } from '../domain/domain-view.js';
import { checkDomain, type CheckDeps } from '../steps/check-domain.js';
import { domainTaken, isVerifiedElsewhere } from '../steps/domain-taken.js';
import { findDomain } from '../steps/find-domain.js';

/**
 * Checks the records of a domain within 5 s, and verifies it if they are correct. Throws like `findDomain`, and throws
 * DOMAIN_TAKEN if another workspace verified the domain first.
 */
export async function verifyDomain(deps: CheckDeps, by: Principal, { id }: { id: string }): Promise<DomainView> {
  const domain = await findDomain(deps, by.workspaceId, id);
  if (await isVerifiedElsewhere(deps, domain)) throw domainTaken();
  return domainView(await checkDomain(deps, by, domain), deps.domains.target);
}
