import { changesBetween } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { reachedLimit } from '../domain/expiry.js';
import type { Route } from '../../redirects/domain/route.js';
import type { Link } from '../domain/link.js';
import { linkView, type LinkView } from '../domain/view.js';
import { nextUpdatedAt } from '../../domain/times.js';
import { syncQrRoutes } from '../../qr-routes/steps/sync-qr-routes.js';
import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'invalidate' | 'baseUrl' | 'now'>;

/**
 * Expires the active links with these routing keys that have reached a limit, in one transaction. Emits
 * `link.expired` exactly once per link, even with concurrent calls. Returns the number of links expired.
 */
export async function expireLinks(deps: Deps, keys: string[]): Promise<number> {
  const expired = await deps.transact(null, async (tx) => {
    const now = deps.now();
    const routes = await deps.store.routes.byKeys(keys, tx.session);
    const due = routes.filter((route) => route.via === 'link' && route.status === 'active' && reachedLimit(route, now));
    const qrKeys = due.length > 0 ? await expire(deps, tx, due, now) : [];
    return { keys: due.map(({ _id }) => _id), qrKeys };
  });
  if (expired.keys.length) deps.invalidate([...expired.keys, ...expired.qrKeys]);
  return expired.keys.length;
}

/** Emits `link.expired` for an active link, attributed to the system. Returns the expired link. */
export function emitExpired(tx: Transaction, link: Link, viewOf: (link: Link) => LinkView, now: Date): Link {
  const expired: Link = { ...link, status: 'expired', updatedAt: nextUpdatedAt(link, now) };
  const data = viewOf(expired);
  tx.emit({
    type: 'link.expired',
    target: { type: 'link', id: link._id, label: link.slug },
    data,
    changes: changesBetween(viewOf(link), data),
    workspaceId: link.workspaceId,
    by: null,
  });
  return expired;
}

/** Expires links by their routes, and emits their events. Returns the routing keys of the links' QR codes. */
async function expire(deps: Deps, tx: Transaction, due: Route[], now: Date): Promise<string[]> {
  const { store, baseUrl } = deps;
  const workspaceIds = [...new Set(due.map(({ workspaceId }) => workspaceId))];
  const links = await store.links.anyByIds(
    workspaceIds,
    due.map(({ linkId }) => linkId!),
    tx.session,
  );
  await store.routes.expire(
    due.map(({ _id }) => _id),
    tx.session,
  );
  await store.links.expire(
    workspaceIds,
    links.map(({ _id }) => _id),
    now,
    tx.session,
  );
  for (const workspaceId of workspaceIds) {
    const group = links.filter((link) => link.workspaceId === workspaceId);
    const names = await store.tags.namesOf(workspaceId, group, tx.session);
    for (const link of group) emitExpired(tx, link, (each) => linkView(each, names, baseUrl), now);
  }
  const qrKeys: string[] = [];
  for (const link of links) qrKeys.push(...(await syncQrRoutes(deps, tx, { ...link, status: 'expired' })));
  return qrKeys;
}
