import type { Principal } from '@tautan/kit';
import { anyDestination, checkQrRoute, type QrRouteInput, type DesiredQrRoute } from '../domain/qr-route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { runInSequence } from '../../links/steps/run-in-sequence.js';
import { retryCollisions } from '../../links/steps/retry-collisions.js';
import { followedLinks } from '../steps/followed-links.js';
import { qrRouteView, type QrRouteView } from '../steps/view.js';
import { writeQrRoute, type WriteDeps, type WrittenQrRoute } from '../steps/write-qr-route.js';

type ChangeDeps = WriteDeps & Pick<ApiDeps, 'transact' | 'inOrder'>;
type Deps = ChangeDeps & Pick<ApiDeps, 'qrRouteBatcher' | 'baseUrl' | 'invalidate' | 'signal'>;

/**
 * Creates or updates the route of a QR code, its tags, and the QR code counts of the tags and the link, in one
 * transaction. A new route gets a generated slug. A version that is not greater than the stored one changes nothing.
 * Throws VALIDATION_ERROR naming the field, FORBIDDEN for a code or link of another workspace, NOT_FOUND for a deleted
 * code.
 */
export async function putQrRoute(deps: Deps, by: Principal, input: QrRouteInput): Promise<QrRouteView> {
  const isNew = input.version === 1;
  // The rules apply to an update only if it changes the URL. Whether it does is known only once the route has been
  // read.
  const desired = checkQrRoute(input, isNew ? deps.rules : anyDestination);
  const written = isNew ? await deps.qrRouteBatcher.run({ by, desired }, deps.signal) : await change(deps, by, desired);
  const { code, route, names, changed } = written;
  if (changed) deps.invalidate([route._id]);
  const followed = await followedLinks(deps, by.workspaceId, [code], [route]);
  return qrRouteView(code, route.remaining, names, deps.baseUrl, followed.get(code._id));
}

function change(deps: ChangeDeps, by: Principal, desired: DesiredQrRoute): Promise<WrittenQrRoute> {
  const { workspaceId } = by;
  const { linkId } = desired.destination;
  const keys = [desired.id, ...(linkId === null ? [] : [linkId]), ...(desired.tags ? [workspaceId] : [])];
  const write = () => deps.transact(by, (tx) => writeQrRoute(deps, tx, workspaceId, desired));
  return retryCollisions(() => runInSequence(deps, keys, write));
}
