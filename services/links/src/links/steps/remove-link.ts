import type { Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { monthOf, startOfMonth } from '@tautan/plans/usage';
import { statusAt } from '../domain/expiry.js';
import type { Link } from '../domain/link.js';
import { routeKey } from '../../redirects/domain/route.js';
import { linkView, type LinkView } from '../domain/view.js';
import { syncQrRoutes } from '../../qr-routes/steps/sync-qr-routes.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { emitExpired } from './expire-links.js';
import { findLink } from './find-link.js';
import { runInSequence } from './run-in-sequence.js';

export type RemoveDeps = Pick<ApiDeps, 'store' | 'transact' | 'inOrder' | 'usage' | 'invalidate' | 'baseUrl' | 'now'>;

/**
 * Deletes a link by its id. Its slug stays reserved for the workspace. An active link that has reached a limit expires
 * first, and `link.expired` is emitted. Throws NOT_FOUND or FORBIDDEN.
 */
export async function removeLink(deps: RemoveDeps, by: Principal, id: string): Promise<void> {
  const { store, baseUrl } = deps;
  const { workspaceId } = by;
  const keys = await runInSequence(deps, [id, workspaceId], () =>
    deps.transact(by, async (tx) => {
      const link = await findLink(deps, workspaceId, id, tx.session);
      const names = await store.tags.namesOf(workspaceId, [link], tx.session);
      const key = routeKey(link.domain, link.slug);
      await store.links.remove(workspaceId, id, tx.session);
      await recordDeletion(deps, tx, link);
      const now = deps.now();
      const remaining = await store.routes.tombstone(workspaceId, key, now, tx.session);
      const qrKeys = await syncQrRoutes(deps, tx, link, 'deleted');
      const viewOf = (each: Link): LinkView => linkView(each, names, baseUrl);
      const last = statusAt(link, remaining, now) === link.status ? link : emitExpired(tx, link, viewOf, now);
      tx.emit({ type: 'link.deleted', target: { type: 'link', id, label: link.slug }, data: viewOf(last) });
      await store.tags.addToCounts(workspaceId, new Map([...names.keys()].map((tag) => [tag, -1])), tx.session);
      if (link.domain !== null) await store.domains.decrementLinkCount(workspaceId, link.domain, tx.session);
      return [key, ...qrKeys];
    }),
  );
  deps.invalidate(keys);
}

/**
 * Records the deletion of a link that counts toward the limit of the current month. The link continues to count: for a
 * monthly limit, `release` does not reduce the usage but only records the deletion. The counter can only be compared
 * with the existing links if the deletions are known.
 */
async function recordDeletion(
  { usage, now }: RemoveDeps,
  { session }: Transaction,
  { workspaceId, countedIn, createdAt }: Link,
): Promise<void> {
  const month = countedIn ?? monthOf(createdAt);
  if (month !== monthOf(now())) return;
  await usage.release(session, { workspaceId, limit: 'links', count: 1, at: startOfMonth(month) });
}
