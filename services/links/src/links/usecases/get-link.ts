import type { Principal } from '@tautan/kit';
import { linkView, type LinkView } from '../domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { currentStatuses } from '../steps/current-statuses.js';
import { resolveLink, type LinkReference } from '../steps/resolve-link.js';

type Deps = Pick<ApiDeps, 'store' | 'baseUrl' | 'now'>;

/**
 * Returns a link by id if the text has the format of one, else by slug. A link that has reached a limit is returned as
 * expired. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace.
 */
export async function getLink(deps: Deps, { workspaceId }: Principal, input: LinkReference): Promise<LinkView> {
  const link = await resolveLink(deps, workspaceId, input);
  const [names, [status]] = await Promise.all([
    deps.store.tags.namesOf(workspaceId, [link]),
    currentStatuses(deps, [link]),
  ]);
  return linkView({ ...link, status: status! }, names, deps.baseUrl);
}
