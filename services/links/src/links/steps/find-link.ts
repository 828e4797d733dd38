import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Link } from '../domain/link.js';
import type { ApiDeps } from '../../usecase-deps.js';

type Deps = Pick<ApiDeps, 'store'>;

/** Returns a link of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findLink(
  { store }: Deps,
  workspaceId: string,
  id: string,
  session?: Transaction['session'],
): Promise<Link> {
  if (!isId(id, 'lnk')) throw unknownId();
  const link = await store.links.byId(workspaceId, id, session);
  if (link) return link;
  if (await store.links.existsAnywhere(id)) throw foreignLink();
  throw unknownId();
}

const unknownId = (): Error => fail('NOT_FOUND', 'No link with this id.');
export const foreignLink = (): Error => fail('FORBIDDEN', 'The link belongs to another workspace.');
