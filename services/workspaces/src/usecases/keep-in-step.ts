import { SYNC_AFTER_MS, SYNC_MISSING_AFTER_MS, type User } from '../domain/user.js';
import type { Member } from '../domain/member.js';
import type { PeopleDeps } from './deps.js';
import { syncPerson } from './sync-person.js';

/** Longest that an answer waits for the provider's list of workspaces; then the mirror serves. Below an RPC's deadline. */
const WAIT_MS = 2_000;

interface Wanted {
  user: User;
  /** What the person showed; with it the provider is asked. */
  credential: string;
  /** The workspace that is asked for, or ''. */
  workspaceId: string;
}

/**
 * Brings a person's memberships up to date where that is due: at once for a person who is new or misses a workspace, in the
 * background for one who was last looked at some minutes ago, so that what changed at the provider is seen without anybody's
 * doing. The provider's failures leave the mirror as it is.
 */
export async function keepInStep(deps: PeopleDeps, wanted: Wanted): Promise<void> {
  // Kept here alone, they cost no call to look at.
  if (!deps.provider?.directory) return lookAtOnce(deps, wanted);
  const memberships = await deps.members.membershipsOf(wanted.user._id);
  const due = whenDue(deps.now(), memberships, wanted);
  if (due === 'never') return;
  const name = `memberships of ${wanted.user._id}`;
  deps.background.run(name, () => sync(deps, wanted));
  if (due === 'now') await atMost(WAIT_MS, deps.background.finished(name));
}

function whenDue(now: Date, memberships: Member[], { user, workspaceId }: Wanted): 'now' | 'later' | 'never' {
  if (!user.syncedAt) return 'now';
  const age = now.getTime() - user.syncedAt.getTime();
  const missing = workspaceId ? !memberships.some((one) => one.workspaceId === workspaceId) : memberships.length === 0;
  if (missing && age >= SYNC_MISSING_AFTER_MS) return 'now';
  return age >= SYNC_AFTER_MS ? 'later' : 'never';
}

async function sync(deps: PeopleDeps, { user, credential }: Wanted): Promise<void> {
  const at = deps.now();
  const accessToken = await deps.accessTokenOf(credential);
  await syncPerson(deps, { by: null, user, accessToken, emailVerified: user.emailVerified });
  await deps.users.noteSynced(user._id, at);
}

const lookAtOnce = (deps: PeopleDeps, { user, credential }: Wanted): Promise<void> =>
  syncPerson(deps, { by: null, user, accessToken: credential, emailVerified: user.emailVerified });

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, enough]);
  clearTimeout(timer);
}
