import { withTimeout } from '@tautan/kit';
import { SYNC_AFTER_MS, SYNC_MISSING_AFTER_MS, type User } from '../domain/user.js';
import type { Member } from '../../members/domain/member.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { syncMemberships } from './sync-memberships.js';

/** Maximum time a response waits for the provider's list of workspaces. Below the deadline of an RPC. */
const WAIT_MS = 2_000;

interface SyncRequest {
  user: User;
  /** A session secret, or an access token of the provider. */
  credential: string;
  /** The requested workspace, or ''. */
  workspaceId: string;
}

/** Whether the response waits for a sync, or a sync starts in the background, or none is due. */
type SyncMode = 'wait' | 'background' | 'none';

/**
 * Syncs a user's memberships with the provider if they are stale. Waits for the sync, at most `WAIT_MS`, if it is the
 * user's first one, if the memberships do not include the requested workspace, or if there are none and the request
 * names no workspace. Otherwise the sync runs in the background. If the provider fails, the stored memberships stay
 * unchanged.
 */
export async function syncIfStale(deps: ProviderDeps, request: SyncRequest): Promise<void> {
  // Without a directory, a sync needs no call to the provider, so it runs every time.
  if (!deps.provider?.directory) return syncLocally(deps, request);
  const memberships = await deps.members.membershipsOf(request.user._id);
  const mode = syncModeOf(deps.now(), memberships, request);
  if (mode === 'none') return;
  const name = `memberships of ${request.user._id}`;
  deps.background.run(name, () => sync(deps, request));
  if (mode === 'wait') await withTimeout(deps.background.finished(name), WAIT_MS, () => undefined);
}

function syncModeOf(now: Date, memberships: Member[], { user, workspaceId }: SyncRequest): SyncMode {
  if (!user.syncedAt) return 'wait';
  const age = now.getTime() - user.syncedAt.getTime();
  const missing = workspaceId ? !memberships.some((one) => one.workspaceId === workspaceId) : memberships.length === 0;
  if (missing && age >= SYNC_MISSING_AFTER_MS) return 'wait';
  return age >= SYNC_AFTER_MS ? 'background' : 'none';
}

async function sync(deps: ProviderDeps, { user, credential }: SyncRequest): Promise<void> {
  const at = deps.now();
  const accessToken = await deps.accessTokenOf(credential);
  await syncMemberships(deps, { by: null, user, accessToken });
  await deps.users.recordSynced(user._id, at);
}

const syncLocally = (deps: ProviderDeps, { user, credential }: SyncRequest): Promise<void> =>
  syncMemberships(deps, { by: null, user, accessToken: credential });
