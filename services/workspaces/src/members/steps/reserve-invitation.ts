import { fail, type Principal } from '@tautan/kit';
import { isDuplicateKey, type Transaction } from '@tautan/kit/mongo';
import { newReservation } from '../domain/invitation.js';
import { emailAddress, parseAssignableRole, type Role } from '../domain/member.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { InvitationReservationStore } from '../store/invitation-reservations.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { manageableWorkspace } from '../../workspaces/steps/manageable-workspace.js';

export interface ReservedInvitation {
  workspace: Workspace;
  email: string;
  role: Role;
  reservationId: string;
  /** The attempt that holds the reservation. */
  attempt: string;
}

/**
 * Validates an invitation and reserves a place within the member limit of the principal's workspace. Throws
 * PERSON_ONLY for an API key, FORBIDDEN for a role below admin, VALIDATION_ERROR naming `email` or `role`,
 * ALREADY_MEMBER naming `email` (also while another request is inviting this email), and PLAN_LIMIT_EXCEEDED naming
 * `members`.
 *
 * The reservation is committed before the identity provider is called, so that no replica sends the provider an
 * invitation beyond the limit. The reservation is then replaced by the invited member, or released if the provider
 * fails. If the process crashes in between, the reservation is replaced when the provider's members are next read, or
 * released by `releaseAbandonedInvitations` if the provider does not report the invitation in time. The opposite order,
 * withdrawing excess invitations at the provider, would send emails for rejected invitations, and a crash would leave
 * such invitations behind.
 */
export async function reserveInvitation(
  deps: ProviderDeps,
  { by, operationId, ...requested }: { by: Principal; email: string; role: string; operationId: string | undefined },
): Promise<ReservedInvitation> {
  const workspace = await manageableWorkspace(deps, by);
  const [email, role] = [emailAddress(requested.email), parseAssignableRole(requested.role)];
  if (await deps.members.findByEmail(workspace._id, email)) throw alreadyMember();
  const { _id: workspaceId, plan } = workspace;
  await deps.usage.counters.assertRoom(deps.plans, { workspaceId, plan, limit: 'members', at: deps.now() });
  const reservation = newReservation({ workspaceId, email, operationId });
  const reserved = { workspace, email, role, reservationId: reservation._id, attempt: reservation.attempt };
  try {
    await deps.transact(by, async (tx) => {
      await reservePlace(deps, workspace._id, tx);
      await deps.invitations.insert(reservation, tx);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if (!(await deps.transact(null, (tx) => deps.invitations.takeOver(reservation, tx)))) throw alreadyMember();
  }
  return reserved;
}

async function reservePlace(
  { workspaces, usage, plans, now }: ProviderDeps,
  workspaceId: string,
  tx: Transaction,
): Promise<void> {
  const workspace = await workspaces.find(workspaceId, tx);
  if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
  await usage.counters.reserveOne(tx.session, plans, {
    workspaceId,
    limit: 'members',
    plan: workspace.plan,
    at: now(),
  });
}

export type ReleaseDeps = Pick<ProviderDeps, 'usage' | 'transact' | 'now'> & {
  invitations: InvitationReservationStore;
};

/** Releases the reservation of an attempt, unless a member has replaced it or another attempt holds it. */
export async function releaseInvitation(
  { usage, invitations, transact, now }: ReleaseDeps,
  id: string,
  attempt: string,
): Promise<void> {
  await transact(null, async (tx) => {
    const [reservation] = await invitations.existing([id], tx);
    if (reservation?.attempt !== attempt) return;
    await usage.add(new Map([[reservation.workspaceId, -1]]), now(), tx);
    await invitations.remove([id], tx);
  });
}

export const alreadyMember = () =>
  fail('ALREADY_MEMBER', 'This email address belongs to a member or an open invitation.', 'email');
