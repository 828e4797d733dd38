import { fail, faultCode } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { snapshotOf } from '../../links/domain/new-link.js';
import { qrRouteOf, type RouteDestination, type QrCodeData, type DesiredQrRoute } from '../domain/qr-route.js';
import { routeKey, type Route } from '../../redirects/domain/route.js';
import { generateSlug } from '../../links/domain/slug.js';
import { checkUrl } from '../../links/domain/url.js';
import type { TagNames } from '../../links/domain/view.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { findLink } from '../../links/steps/find-link.js';
import { foreignQrCode, unknownQrCode } from './find-qr-code.js';
import { replaceTags } from '../../tags/steps/replace-tags.js';

export type WriteDeps = Pick<ApiDeps, 'store' | 'ceilings' | 'rules' | 'now'>;

/** The stored data of a QR code, and its route. */
interface StoredQrRoute {
  code: QrCodeData;
  route: Route;
}

/** A QR code and its route after a request to write them. */
export interface WrittenQrRoute extends StoredQrRoute {
  /** Names of the QR code's tags. */
  names: TagNames;
  /** Whether the request changed anything. */
  changed: boolean;
}

/**
 * Creates or updates the route of a QR code, its tags, and the QR code counts of the tags and the link. A new route
 * gets a generated slug. A version that is not greater than the stored one changes nothing. Throws VALIDATION_ERROR
 * naming the field, FORBIDDEN for a code or link of another workspace, NOT_FOUND for a deleted code. Rejects with a
 * collision (see `retryCollisions`) if the id or slug of a new code, or the name of a new tag, is in use.
 */
export async function writeQrRoute(
  deps: WriteDeps,
  tx: Transaction,
  workspaceId: string,
  desired: DesiredQrRoute,
): Promise<WrittenQrRoute> {
  const { store } = deps;
  const found = await findRoute(deps, tx, workspaceId, desired.id);
  const old = await store.tags.namesOf(workspaceId, found ? [found.code] : [], tx.session);
  if (found && desired.version <= found.code.version) return { ...found, names: old, changed: false };
  const destination = await resolveDestination(deps, tx, workspaceId, desired, found);
  const tags =
    desired.tags && (await replaceTags(deps, tx, { workspaceId, old, wanted: desired.tags, counted: 'qrCodeCount' }));
  const code: QrCodeData = {
    ...(found?.code ?? newQrCode(desired.id, workspaceId, deps.now())),
    linkId: desired.destination.linkId,
    version: desired.version,
    ...(tags && { tags: tags.ids }),
  };
  const route = qrRouteOf(code, desired, destination, found?.route ?? null);
  await write(deps, tx, found, code, route);
  await tags?.updateCounts();
  return { code, route, names: tags?.names ?? old, changed: true };
}

async function findRoute(
  { store }: WriteDeps,
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<StoredQrRoute | null> {
  const code = await store.qrCodeData.anyById(id, tx.session);
  if (!code) return null;
  if (code.workspaceId !== workspaceId) throw foreignQrCode();
  if (code.purgeAt) throw unknownQrCode();
  const route = await store.routes.byKey(routeKey(null, code.slug), tx.session);
  if (!route) throw new Error(`QR code ${id} has no route`);
  return { code, route };
}

/**
 * Returns the destination of scans. The code keeps its URL even if the rules for new URLs no longer allow it. If the
 * current link was deleted, the code keeps its last destination and cannot be reactivated.
 */
async function resolveDestination(
  deps: WriteDeps,
  tx: Transaction,
  workspaceId: string,
  { destination: { url, linkId }, status }: DesiredQrRoute,
  found: StoredQrRoute | null,
): Promise<RouteDestination> {
  if (linkId === null) {
    const isKept = found?.code.linkId === null && found.route.url === url;
    return { url: isKept ? url : checkUrl(url, deps.rules), follows: null };
  }
  const link = await findLink(deps, workspaceId, linkId, tx.session).catch((error: unknown) => {
    if (faultCode(error) !== 'NOT_FOUND') throw error;
  });
  if (link) return snapshotOf(link);
  if (found?.route.follows && found.code.linkId === linkId) {
    if (status === 'active' && found.route.status !== 'active') {
      throw fail('VALIDATION_ERROR', 'status cannot be active: the link of the QR code was deleted.', 'status');
    }
    return { url: found.route.url, follows: found.route.follows };
  }
  throw fail('VALIDATION_ERROR', 'linkId is not a link of this workspace.', 'linkId');
}

export const newQrCode = (id: string, workspaceId: string, createdAt: Date): QrCodeData => ({
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
 * Writes the route of a QR code. If the code now follows a different link, also updates the QR code counts of the old
 * and the new link. An update or deletion of a link skips its QR codes if their count is 0. It cannot miss a code that
 * is added at the same time: the count is stored in the link, so the two transactions conflict.
 */
async function write(
  { store, now }: WriteDeps,
  tx: Transaction,
  found: StoredQrRoute | null,
  code: QrCodeData,
  route: Route,
) {
  const { _id, workspaceId, linkId, tags, version } = code;
  const before = found?.code.linkId ?? null;
  if (before !== linkId) {
    if (before !== null) await store.links.addToQrCodeCount(workspaceId, before, -1, tx.session);
    if (linkId !== null) await store.links.addToQrCodeCount(workspaceId, linkId, 1, tx.session);
  }
  if (found) {
    await store.qrCodeData.update(workspaceId, _id, { linkId, tags, version }, tx.session);
    const { _id: key, ...set } = route;
    await store.routes.update(workspaceId, key, set, tx.session);
  } else {
    await store.qrCodeData.insert([code], tx.session);
    await store.routes.claim([route], now(), tx.session);
  }
}
