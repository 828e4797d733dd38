import type { LeaseWatch } from '@tautan/kit';
import { releaseInvitation, type ReleaseDeps } from '../steps/reserve-invitation.js';

/** Releases the reservations of processes that crashed while sending an invitation. */
export async function releaseAbandonedInvitations({
  watch,
  ...deps
}: ReleaseDeps & { watch: LeaseWatch<string> }): Promise<void> {
  for (const [id, attempt] of watch.stale(await deps.invitations.attempts()))
    await releaseInvitation(deps, id, attempt);
}
