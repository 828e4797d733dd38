import { fail, faultCode, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { followedOf } from '../../domain/new-link.js';
import { checkQrRoute, qrRouteOf, type Leading, type QrRouteInput, type QrTarget, type WantedQrRoute } from '../../domain/qr-target.js'; // prettier-ignore
import { routeKey, type Route } from '../../domain/route.js';
import { generateSlug } from '../../domain/slug.js';
import type { TagNames } from '../../domain/view.js';
import type { ApiDeps } from '../deps.js';
import { findLink } from '../find-link.js';
import { foreignQrCode, unknownQrCode } from '../find-qr-target.js';
import { inOrderOf } from '../in-order-of.js';
import { replaceTags } from '../replace-tags.js';
import { retryCollisions } from '../retry-collisions.js';
import { followedLinks } from './followed-links.js';
import { qrRouteView, type QrRouteView } from './view.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'inOrder' | 'ceilings' | 'rules' | 'baseUrl' | 'invalidate' | 'now'>;

/** What there is of a QR code. */
interface Found {
  target: QrTarget;
  route: Route;
}

interface Outcome extends Found {
  names: TagNames;
  changed: boolean;
}

/**
 * Makes the route of a QR code with a generated slug, or brings it in line: in one transaction with its tags, their counts
 * and that of its link. A version that is not above the known one changes nothing. Throws VALIDATION_ERROR naming the field,
 * FORBIDDEN for a code or a link of another workspace, NOT_FOUND for a code that was removed.
 */
export async function putQrRoute(deps: Deps, by: Principal, input: QrRouteInput): Promise<QrRouteView> {
  const wanted = checkQrRoute(input, deps.rules);
  const { workspaceId } = by;
  const { linkId } = wanted.destination;
  const keys = [wanted.id, ...(linkId === null ? [] : [linkId]), ...(wanted.tags ? [workspaceId] : [])];
  const { target, route, names, changed } = await retryCollisions(
    () => inOrderOf(deps, keys, () => deps.transact(by, (tx) => attempt(deps, tx, workspaceId, wanted))),
    // Another slug is generated, a tag is found, and so is the route that a repetition has just made.
    async () => undefined,
  );
  if (changed) deps.invalidate([route._id]);
  const followed = await followedLinks(deps, by.workspaceId, [target], [route]);
  return qrRouteView(target, route.remaining, names, deps.baseUrl, followed.get(target._id));
}

async function attempt(deps: Deps, tx: Transaction, workspaceId: string, wanted: WantedQrRoute): Promise<Outcome> {
  const { store } = deps;
  const found = await findRoute(deps, tx, workspaceId, wanted.id);
  const old = await store.tags.namesOf(workspaceId, found ? [found.target] : [], tx.session);
  if (found && wanted.version <= found.target.version) return { ...found, names: old, changed: false };
  const leading = await leadingOf(deps, tx, workspaceId, wanted, found);
  const tags = wanted.tags && (await replaceTags(deps, tx, { workspaceId, old, wanted: wanted.tags, counted: 'qrCodeCount' })); // prettier-ignore
  const target: QrTarget = {
    ...(found?.target ?? newTarget(wanted.id, workspaceId, deps.now())),
    linkId: wanted.destination.linkId,
    version: wanted.version,
    ...(tags && { tags: tags.ids }),
  };
  const route = qrRouteOf(target, wanted, leading, found?.route ?? null);
  await write(deps, tx, found, target, route);
  await tags?.count();
  return { target, route, names: tags?.names ?? old, changed: true };
}

async function findRoute({ store }: Deps, tx: Transaction, workspaceId: string, id: string): Promise<Found | null> {
  const target = await store.qrTargets.anyById(id, tx.session);
  if (!target) return null;
  if (target.workspaceId !== workspaceId) throw foreignQrCode();
  if (target.purgeAt) throw unknownQrCode();
  const route = await store.routes.byKey(routeKey(null, target.slug), tx.session);
  if (!route) throw new Error(`QR code ${id} has no route`);
  return { target, route };
}

/** Where scans lead. The link that a code has followed so far may be gone: then it still leads nowhere, and is not resumed. */
async function leadingOf(
  deps: Deps,
  tx: Transaction,
  workspaceId: string,
  { destination: { url, linkId }, status }: WantedQrRoute,
  found: Found | null,
): Promise<Leading> {
  if (linkId === null) return { url, follows: null };
  const link = await findLink(deps, workspaceId, linkId, tx.session).catch((error: unknown) => {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  });
  if (link) return followedOf(link);
  if (found?.route.follows && found.target.linkId === linkId) {
    if (status === 'active' && found.route.status !== 'active') {
      throw fail('VALIDATION_ERROR', 'status cannot be active: the link of the QR code was deleted.', 'status');
    }
    return { url: found.route.url, follows: found.route.follows };
  }
  throw fail('VALIDATION_ERROR', 'linkId is not a link of this workspace.', 'linkId');
}

const newTarget = (id: string, workspaceId: string, createdAt: Date): QrTarget => ({
  _id: id,
  workspaceId,
  linkId: null,
  slug: generateSlug(),
  tags: [],
  version: 0,
  scanCount: 0,
  lastScanAt: null,
  createdAt,
  purgeAt: null,
});

/**
 * Writes a route and counts it at its link. The count is what makes a change or the deletion of a link, which looks for codes
 * at links that have some, meet the making of a code.
 */
async function write({ store, now }: Deps, tx: Transaction, found: Found | null, target: QrTarget, route: Route) {
  const { _id, workspaceId, linkId, tags, version } = target;
  const before = found?.target.linkId ?? null;
  if (before !== linkId) {
    if (before !== null) await store.links.addToQrCodeCount(workspaceId, before, -1, tx.session);
    if (linkId !== null) await store.links.addToQrCodeCount(workspaceId, linkId, 1, tx.session);
  }
  if (found) {
    await store.qrTargets.update(workspaceId, _id, { linkId, tags, version }, tx.session);
    const { _id: key, ...set } = route;
    await store.routes.update(workspaceId, key, set, tx.session);
  } else {
    await store.qrTargets.insert(target, tx.session);
    await store.routes.claim([route], now(), tx.session);
  }
}
