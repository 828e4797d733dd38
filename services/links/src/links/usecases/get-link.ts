import type { Principal } from '@tautan/kit';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { currentStatuses } from '../steps/current-statuses.js';
import { resolveLink, type LinkReference } from '../steps/resolve-link.js';

type Deps = Pick<ApiDeps, 'store' | 'baseUrl' | 'now'>;

/**
 * Returns a link by id or, if `idOrSlug` does not have the format of an id, by slug. An active link that has reached a
 * limit is returned as expired. Throws NOT_FOUND, FORBIDDEN if the link belongs to another workspace, or
 * VALIDATION_ERROR naming `domain` if `domain` is not a host name.
 */
export async function getLink(deps: Deps, { workspaceId }: Principal, input: LinkReference): Promise<LinkView> {
  const link = await resolveLink(deps, workspaceId, input);
  const [names, [status]] = await Promise.all([
    deps.store.tags.namesOf(workspaceId, [link]),
    currentStatuses(deps, [link]),
  ]);
  return linkView({ ...link, status: status! }, names, deps.baseUrl);
}
