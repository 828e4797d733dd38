import type { Transaction } from '@tautan/kit/mongo';
import type { Link } from '../../links/domain/link.js';
import { snapshotOf } from '../../links/domain/new-link.js';
import type { ApiDeps } from '../../usecase-deps.js';

/**
 * Copies the state of a link to the routes of its QR codes. `status` is `deleted` if the link is being deleted. Returns
 * the keys of the changed routes.
 */
export async function syncQrRoutes(
  { store }: Pick<ApiDeps, 'store'>,
  { session }: Transaction,
  link: Link,
  status?: 'deleted',
): Promise<string[]> {
  if (link.qrCodeCount === 0) return [];
  return store.routes.updateFollowers(link.workspaceId, link._id, snapshotOf(link, status), session);
}
