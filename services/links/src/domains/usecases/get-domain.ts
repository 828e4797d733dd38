import type { Principal } from '@tautan/kit';
import { domainView, type DomainView } from '../domain/domain-view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findDomain } from '../steps/find-domain.js';

type Deps = Pick<ApiDeps, 'store' | 'domains'>;

/** Returns a domain by id. Throws NOT_FOUND or FORBIDDEN. */
export async function getDomain(deps: Deps, { workspaceId }: Principal, { id }: { id: string }): Promise<DomainView> {
  return domainView(await findDomain(deps, workspaceId, id), deps.domains.target);
}
