import { fail, type Principal } from '@tautan/kit';
import { routeKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { followedLinks } from '../steps/followed-links.js';
import { qrRouteView, type QrRouteView } from '../steps/view.js';

const MAX_IDS = 200;

/**
 * Returns the routes of the workspace's QR codes with these ids; unknown ids are omitted. Throws VALIDATION_ERROR
 * naming `qrCodeIds` for more than 200 ids.
 */
export async function listQrRoutes(
  deps: Pick<ApiDeps, 'store' | 'baseUrl' | 'now'>,
  { workspaceId }: Principal,
  { qrCodeIds }: { qrCodeIds: string[] },
): Promise<QrRouteView[]> {
  if (qrCodeIds.length > MAX_IDS)
    throw fail('VALIDATION_ERROR', `qrCodeIds must have at most ${MAX_IDS} ids.`, 'qrCodeIds');
  const { store, baseUrl } = deps;
  const codes = await store.qrCodeData.byIds(workspaceId, qrCodeIds);
  const [routes, names] = await Promise.all([
    store.routes.byKeys(codes.map(({ slug }) => routeKey(null, slug))),
    store.tags.namesOf(workspaceId, codes),
  ]);
  const followed = await followedLinks(deps, workspaceId, codes, routes);
  const remaining = new Map(routes.map((route) => [route._id, route.remaining]));
  return codes.map((code) =>
    qrRouteView(code, remaining.get(routeKey(null, code.slug)) ?? null, names, baseUrl, followed.get(code._id)),
  );
}
