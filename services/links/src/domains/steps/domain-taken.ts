import { errorCatalog, fail } from '@tautan/kit';
import { domainKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import type { CustomDomain } from '../domain/custom-domain.js';

export const domainTaken = (): Error => fail('DOMAIN_TAKEN', errorCatalog.DOMAIN_TAKEN.description, 'domain');

/**
 * Returns whether another workspace has verified the domain. Only verified domains have an entry in the routing table.
 */
export async function isVerifiedElsewhere(
  { store }: Pick<ApiDeps, 'store'>,
  { workspaceId, name }: Pick<CustomDomain, 'workspaceId' | 'name'>,
): Promise<boolean> {
  const entry = await store.routes.byKey(domainKey(name));
  return entry !== null && entry.workspaceId !== workspaceId;
}
