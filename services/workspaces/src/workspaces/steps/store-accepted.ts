import { withOutageMessage } from '@tautan/kit/mongo';
import type { Workspace } from '../domain/workspace.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { upstreamOf } from './manageable-workspace.js';

/**
 * Stores a requested change to a workspace, which the identity provider has already made unless the workspace is
 * managed locally. If the provider has made it but the database cannot store it, the message of the error says that the
 * change will be applied later. The next read from the provider applies it.
 */
export async function storeAccepted<T>(
  deps: Pick<ProviderDeps, 'provider'>,
  workspace: Workspace,
  store: () => Promise<T>,
): Promise<T> {
  const isAccepted = upstreamOf(deps, workspace) !== undefined;
  return store().catch((error: unknown) => {
    const message = 'The identity provider has made the change. It will be applied here as soon as possible.';
    throw isAccepted ? withOutageMessage(error, message) : error;
  });
}
