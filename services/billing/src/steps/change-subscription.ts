import type { Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { assertLive, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps, type SyncDeps } from '../usecase-deps.js';

export type ChangeDeps = Pick<Deps, 'store' | 'transact' | 'now' | 'provider' | 'mutex'> & Pick<CallDeps, 'signal'>;

/**
 * Changes the live subscription of a workspace, once the earlier changes to it in this process have finished. Throws
 * SERVICE_UNAVAILABLE if there is no provider, or if `deps.signal` is aborted before the change starts. Throws
 * SUBSCRIPTION_STATE if there is no live subscription. Also throws the errors of `change`.
 */
export async function changeSubscription(
  deps: ChangeDeps,
  { workspaceId }: Principal,
  change: (deps: SyncDeps, found: Subscription & { providerId: string }) => Promise<Subscription>,
): Promise<Subscription> {
  const providerDeps = withProvider(deps);
  const run = async (): Promise<Subscription> => {
    const found = await deps.store.subscriptions.ofWorkspace(workspaceId);
    assertLive(found);
    return change(providerDeps, found);
  };
  return deps.mutex.run(workspaceId, run, deps.signal);
}
