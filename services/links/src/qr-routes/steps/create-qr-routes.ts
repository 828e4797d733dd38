import { KeyedBatcher, type KeyedMutex, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Link } from '../../links/domain/link.js';
import { snapshotOf } from '../../links/domain/new-link.js';
import { qrRouteOf, type QrCodeData, type DesiredQrRoute } from '../domain/qr-route.js';
import { tagKey } from '../../tags/domain/tag-names.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findLink } from '../../links/steps/find-link.js';
import { isItemError } from '../../links/steps/is-item-error.js';
import { retryCollisions } from '../../links/steps/retry-collisions.js';
import { useTags, type UsedTags } from '../../tags/steps/use-tags.js';
import { newQrCode, writeQrRoute, type WriteDeps, type WrittenQrRoute } from './write-qr-route.js';

type Deps = WriteDeps & Pick<ApiDeps, 'transact'>;

/** The route of a QR code that is being created. */
export interface NewQrRoute {
  by: Principal;
  desired: DesiredQrRoute;
}

/** Maximum number of routes per transaction: enough to share its cost, but few enough to stay far below its timeout. */
const MAX_BATCH = 50;

/**
 * Returns a batcher that creates routes of one workspace together. Never use it while holding the workspace's mutex.
 */
export const qrRouteBatcher = (deps: Deps, mutex: KeyedMutex): KeyedBatcher<NewQrRoute, WrittenQrRoute> =>
  new KeyedBatcher({
    mutex,
    keyOf: ({ by }) => by.workspaceId,
    maxItems: MAX_BATCH,
    apply: async (items) => (items.length > 1 ? createTogether(deps, items) : [await createAlone(deps, items[0]!)]),
    isItemError,
  });

/** Creates one route, or returns the one that an earlier request created. */
const createAlone = (deps: Deps, { by, desired }: NewQrRoute): Promise<WrittenQrRoute> =>
  retryCollisions(() => deps.transact(by, (tx) => writeQrRoute(deps, tx, by.workspaceId, desired)));

/** Creates routes of one workspace in one transaction. Rejects if one of them is invalid or already exists. */
function createTogether(deps: Deps, items: NewQrRoute[]): Promise<WrittenQrRoute[]> {
  const { store, now } = deps;
  const { workspaceId } = items[0]!.by;
  return deps.transact(null, async (tx) => {
    const links = await linksOf(deps, tx, workspaceId, items);
    const names = items.flatMap(({ desired }) => desired.tags ?? []);
    const byOf = (name: string): Principal => items.find(({ desired }) => desired.tags?.includes(name))!.by;
    const tags = await useTags(deps, tx, workspaceId, names, { counted: 'qrCodeCount', byOf });
    const written = items.map(({ desired }) => newRoute(workspaceId, desired, links, tags, now()));
    await store.qrCodeData.insert(
      written.map(({ code }) => code),
      tx.session,
    );
    await store.routes.claim(
      written.map(({ route }) => route),
      now(),
      tx.session,
    );
    for (const id of links.keys()) {
      const count = items.filter(({ desired }) => desired.destination.linkId === id).length;
      await store.links.addToQrCodeCount(workspaceId, id, count, tx.session);
    }
    await tags.updateCounts();
    return written;
  });
}

/** Returns the links of new routes by id. Throws if one of them cannot be used. */
async function linksOf(deps: Deps, tx: Transaction, workspaceId: string, items: NewQrRoute[]) {
  const ids = new Set(items.flatMap(({ desired }) => desired.destination.linkId ?? []));
  const links = new Map<string, Link>();
  for (const id of [...ids].sort()) links.set(id, await findLink(deps, workspaceId, id, tx.session));
  return links;
}

function newRoute(
  workspaceId: string,
  desired: DesiredQrRoute,
  links: ReadonlyMap<string, Link>,
  { byKey }: UsedTags,
  now: Date,
): WrittenQrRoute {
  const { linkId, url } = desired.destination;
  const tags = (desired.tags ?? []).map((name) => byKey.get(tagKey(name))!);
  const code: QrCodeData = {
    ...newQrCode(desired.id, workspaceId, now),
    linkId,
    version: desired.version,
    tags: tags.map(({ _id }) => _id),
  };
  const destination = linkId === null ? { url, follows: null } : snapshotOf(links.get(linkId)!);
  const names = new Map(tags.map(({ _id, name }) => [_id, name]));
  return { code, route: qrRouteOf(code, desired, destination, null), names, changed: true };
}
