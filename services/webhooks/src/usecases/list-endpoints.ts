import type { Principal } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';

/** Returns all endpoints of the workspace, newest first. */
export const listEndpoints = ({ store }: Pick<Deps, 'store'>, { workspaceId }: Principal): Promise<Endpoint[]> =>
  store.endpoints.list(workspaceId);
