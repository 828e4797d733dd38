import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { CustomDomain } from '../domain/custom-domain.js';
import type { ApiDeps } from '../../usecase-deps.js';

/** Returns a domain of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findDomain(
  { store }: Pick<ApiDeps, 'store'>,
  workspaceId: string,
  id: string,
  session?: Transaction['session'],
): Promise<CustomDomain> {
  const domain = isId(id, 'dom') ? await store.domains.byId(workspaceId, id, session) : null;
  if (domain) return domain;
  if (isId(id, 'dom') && (await store.domains.existsAnywhere(id))) {
    throw fail('FORBIDDEN', 'The domain belongs to another workspace.');
  }
  throw fail('NOT_FOUND', 'No domain with this id.');
}
