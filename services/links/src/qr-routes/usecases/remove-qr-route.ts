import type { Principal } from '@tautan/kit';
import { checkQrId } from '../domain/qr-route.js';
import { purgeTime, routeKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';
import { foreignQrCode } from '../steps/find-qr-code.js';
import { runInSequence } from '../../links/steps/run-in-sequence.js';
import { retryCollisions } from '../../links/steps/retry-collisions.js';

type Deps = Pick<ApiDeps, 'store' | 'transact' | 'inOrder' | 'invalidate' | 'now'>;

/**
 * Removes the route of a QR code; its slug stays reserved for the workspace for 30 days. A tombstone is kept for the
 * same time, even if there was no route, so that a delayed `PutQrRoute` cannot create the route. Throws FORBIDDEN for a
 * code of another workspace, or VALIDATION_ERROR naming `qrCodeId`.
 */
export async function removeQrRoute(
  deps: Deps,
  by: Principal,
  input: { qrCodeId: string },
): Promise<{ qrCodeId: string }> {
  const id = checkQrId(input.qrCodeId);
  const key = await retryCollisions(() => runInSequence(deps, [id, by.workspaceId], () => remove(deps, by, id)));
  if (key !== null) deps.invalidate([key]);
  return { qrCodeId: id };
}

/** Returns the key of the removed route, or null if there was none. */
const remove = ({ store, transact, now }: Deps, by: Principal, id: string): Promise<string | null> =>
  transact(by, async ({ session }) => {
    const { workspaceId } = by;
    const purgeAt = purgeTime(now());
    const code = await store.qrCodeData.anyById(id, session);
    if (code && code.workspaceId !== workspaceId) throw foreignQrCode();
    if (code?.purgeAt) return null;
    if (!code) {
      await store.qrCodeData.insert(
        [
          {
            _id: id,
            workspaceId,
            linkId: null,
            slug: '',
            tags: [],
            version: 0,
            scanCount: 0,
            lastScanAt: null,
            createdAt: now(),
            purgeAt,
          },
        ],
        session,
      );
      return null;
    }
    const key = routeKey(null, code.slug);
    const names = await store.tags.namesOf(workspaceId, [code], session);
    if (code.linkId !== null) await store.links.addToQrCodeCount(workspaceId, code.linkId, -1, session);
    await store.qrCodeData.update(workspaceId, id, { tags: [], purgeAt }, session);
    await store.routes.tombstone(workspaceId, key, now(), session);
    const deltas = new Map([...names.keys()].map((tag) => [tag, -1]));
    await store.tags.addToCounts(workspaceId, deltas, session, 'qrCodeCount');
    return key;
  });
