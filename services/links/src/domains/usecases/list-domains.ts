import type { Principal } from '@tautan/kit';
import { domainView, type DomainView } from '../domain/domain-view.js';
import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store' | 'domains'>;

/** Returns all domains of the workspace, newest first. */
export async function listDomains({ store, domains }: Deps, { workspaceId }: Principal): Promise<DomainView[]> {
  return (await store.domains.list(workspaceId)).map((domain) => domainView(domain, domains.target));
}
