import type { QrCodeData } from '../domain/qr-route.js';
import { routeKey, type Route } from '../../redirects/domain/route.js';
import { currentStatuses } from '../../links/steps/current-statuses.js';
import type { ApiDeps } from '../../usecase-deps.js';
import type { FollowedLinkView } from './view.js';

/**
 * Returns the current state of the links that QR codes point to, by QR code id. A deleted link is returned as archived,
 * with its last destination, which the routes of its QR codes (`routes`) keep.
 */
export async function followedLinks(
  deps: Pick<ApiDeps, 'store' | 'now'>,
  workspaceId: string,
  codes: QrCodeData[],
  routes: Route[],
): Promise<Map<string, FollowedLinkView>> {
  const ids = [...new Set(codes.flatMap(({ linkId }) => linkId ?? []))];
  if (ids.length === 0) return new Map();
  const links = await deps.store.links.byIds(workspaceId, ids);
  const statuses = await currentStatuses(deps, links);
  const views = new Map(
    links.map(({ _id, url, expiresAt, maxClicks }, i): [string, FollowedLinkView] => [
      _id,
      {
        url,
        status: statuses[i]!,
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
        ...(maxClicks !== null && { maxClicks }),
      },
    ]),
  );
  const urls = new Map(routes.map((route) => [route._id, route.url]));
  const deleted = ({ slug }: QrCodeData): FollowedLinkView => ({
    url: urls.get(routeKey(null, slug)) ?? '',
    status: 'archived',
    deleted: true,
  });
  const linked = codes.filter(({ linkId }) => linkId !== null);
  return new Map(linked.map((code) => [code._id, views.get(code.linkId!) ?? deleted(code)]));
}
