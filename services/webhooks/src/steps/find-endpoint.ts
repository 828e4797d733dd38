import { fail, isId } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import type { Endpoint } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';

/** Returns an endpoint of the workspace. Throws NOT_FOUND, or FORBIDDEN if it belongs to another workspace. */
export async function findEndpoint(
  { store }: Pick<Deps, 'store'>,
  workspaceId: string,
  id: string,
  session?: Transaction['session'],
): Promise<Endpoint> {
  const endpoint = isId(id, 'whe') ? await store.endpoints.byId(id, session) : null;
  if (!endpoint) throw fail('NOT_FOUND', 'No webhook endpoint with this id.');
  if (endpoint.workspaceId !== workspaceId) throw fail('FORBIDDEN', 'The endpoint belongs to another workspace.');
  return endpoint;
}
