import type { Transaction } from '@tautan/kit/mongo';
import type { Link } from '../domain/link.js';
import { followedOf } from '../domain/new-link.js';
import type { ApiDeps } from './deps.js';

/**
 * Tells the entries of a link's QR codes what they follow of it, where it has any; `deleted` for a link that is being
 * deleted. Answers the keys whose redirects change.
 */
export async function changeFollowers(
  { store }: Pick<ApiDeps, 'store'>,
  { session }: Transaction,
  link: Link,
  status?: 'deleted',
): Promise<string[]> {
  if (link.qrCodeCount === 0) return [];
  return store.routes.follow(link.workspaceId, link._id, followedOf(link, status), session);
}
