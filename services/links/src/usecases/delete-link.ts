import type { Principal } from '@tautan/kit';
import { routeKey } from '../domain/route.js';
import { linkView } from '../domain/view.js';
import { changeFollowers } from './change-followers.js';
import type { ApiDeps } from './deps.js';
import { findLink } from './find-link.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'turns' | 'invalidate' | 'baseUrl' | 'now'>;

/** Deletes a link; its slug stays reserved for the workspace for 30 days. Throws NOT_FOUND or FORBIDDEN. */
export async function deleteLink(deps: Deps, by: Principal, { id }: { id: string }): Promise<{ id: string }> {
  const { store, baseUrl } = deps;
  const { workspaceId } = by;
  const keys = await deps.turns.take(workspaceId, () =>
    deps.transact(by, async (tx) => {
      const link = await findLink(deps, workspaceId, id, tx.session);
      const names = await store.tags.namesOf(workspaceId, [link], tx.session);
      const key = routeKey(link.domain, link.slug);
      await store.links.remove(workspaceId, id, tx.session);
      await store.routes.bury(workspaceId, key, deps.now(), tx.session);
      const followers = await changeFollowers(deps, tx, link, 'deleted');
      const data = linkView(link, names, baseUrl);
      tx.emit({ type: 'link.deleted', target: { type: 'link', id, label: link.slug }, data });
      await store.tags.addToCounts(workspaceId, new Map([...names.keys()].map((tag) => [tag, -1])), tx.session);
      if (link.domain !== null) await store.domains.removeLink(workspaceId, link.domain, tx.session);
      return [key, ...followers];
    }),
  );
  deps.invalidate(keys);
  return { id };
}
