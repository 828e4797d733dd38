import { faultCode, timeOfId, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import type { Transaction } from '@tautan/kit/mongo';
import { emailAddress, asOfWrite, type Member } from '../domain/member.js';
import { newMember, type ReportedMember } from '../../workspaces/domain/mirror.js';
import type { ProviderMember } from '../../provider/identity-provider.js';
import { addMembers } from '../steps/add-members.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { manageableWorkspace } from '../../workspaces/steps/manageable-workspace.js';
import { emitMember } from '../steps/member-events.js';
import { withDirectory } from '../../workspaces/steps/with-directory.js';
import { refreshMembers } from '../steps/refresh-members.js';
import {
  alreadyMember,
  releaseInvitation,
  reserveInvitation,
  type ReservedInvitation,
} from '../steps/reserve-invitation.js';
import { retryDuplicates } from '../../workspaces/steps/retry-duplicates.js';
import { storeAccepted } from '../../workspaces/steps/store-accepted.js';

type InviteDeps = ProviderDeps & Pick<CallDeps, 'signal'>;

interface Invitation {
  credential: string;
  email: string;
  role: string;
  /** ULID. Repeating it returns the member that the first attempt invited. */
  operationId?: string | undefined;
}

/**
 * Invites a user to the principal's workspace, at the identity provider and then locally. Emits `member.invited`, and
 * `member.joined` if the provider adds the user immediately. Before the provider is called, throws PERSON_ONLY,
 * FORBIDDEN for roles below admin, VALIDATION_ERROR naming `email` or `role`, ALREADY_MEMBER naming `email`, and
 * PLAN_LIMIT_EXCEEDED naming `members`. Then throws the provider's errors, such as ALREADY_MEMBER if only the provider
 * knows the member, or UPSTREAM_UNAVAILABLE if it fails, with local state unchanged. If `deps.signal` is aborted while
 * the call waits for earlier reservations of the workspace, rejects without inviting.
 */
export async function inviteMember(deps: InviteDeps, by: Principal, input: Invitation): Promise<Member> {
  try {
    return await invite(deps, by, input);
  } catch (error) {
    const isRepeatable = input.operationId !== undefined && faultCode(error) === 'ALREADY_MEMBER';
    const earlier = isRepeatable ? await earlierInvitation(deps, by, input) : undefined;
    if (earlier) return earlier;
    throw error;
  }
}

/** Returns the member that an earlier attempt of the operation invited, possibly only at the provider. */
async function earlierInvitation(
  deps: ProviderDeps,
  by: Principal,
  { credential, operationId, ...requested }: Invitation,
): Promise<Member | undefined> {
  const workspace = await manageableWorkspace(deps, by);
  const email = emailAddress(requested.email);
  const find = () => deps.members.findByEmail(workspace._id, email);
  let member = await find();
  if (!member) {
    await refreshMembers(deps, { by, credential, workspace, repeatable: { email, role: requested.role } });
    member = await find();
  }
  const isOwn = member !== null && member.createdAt >= timeOfId(operationId!) && member.role === requested.role;
  return isOwn ? member! : undefined;
}

async function invite(deps: InviteDeps, by: Principal, { credential, ...requested }: Invitation): Promise<Member> {
  // A workspace's invitations are reserved one at a time. The workspace's usage counter is then contended only by other
  // replicas, and a burst of invitations uses a single database connection.
  const reserved = await deps.mutex.run(
    by.workspaceId,
    () => reserveInvitation(deps, { by, operationId: undefined, ...requested }),
    deps.signal,
  );
  const { workspace, email, role, reservationId, attempt } = reserved;
  try {
    const repeatable = requested.operationId === undefined ? undefined : { email, role };
    const change = { by, credential, workspace, repeatable };
    const provided = await withDirectory(deps, change, ({ directory, token, workspaceId }) =>
      directory.invite(token, workspaceId, { email, role }),
    );
    return await storeAccepted(deps, workspace, async () => {
      const invited = await invitedMember(deps, { by, reserved, provided });
      return retryDuplicates(() => deps.transact(by, (tx) => write(deps, invited, tx)));
    });
  } catch (error) {
    // If the release fails, too, `releaseAbandonedInvitations` repeats it later.
    await releaseInvitation(deps, reservationId, attempt).catch(() => undefined);
    throw error;
  }
}

interface ProvidedInvitation {
  by: Principal;
  reserved: ReservedInvitation;
  /** The provider's response; undefined for a workspace that is managed locally. */
  provided: ProviderMember | undefined;
}

async function invitedMember(deps: ProviderDeps, { by, reserved, provided }: ProvidedInvitation): Promise<Member> {
  const reported: ReportedMember = {
    externalId: provided?.id ?? null,
    userId: provided ? await findUserId(deps, by, provided) : null,
    email: reserved.email,
    name: provided?.name ?? '',
    role: provided?.role ?? reserved.role,
    status: provided?.status ?? 'invited',
    joinedAt: provided?.joinedAt ?? null,
  };
  const at = deps.now();
  return { ...newMember(reserved.workspace._id, reported, at), asOf: asOfWrite(at) };
}

async function write(deps: ProviderDeps, invited: Member, tx: Transaction): Promise<Member> {
  const existing = await deps.members.findByEmail(invited.workspaceId, invited.email, tx);
  // A concurrent call that lists the members may already have mirrored this invitation.
  if (existing && invited.externalId !== null && existing.externalId === invited.externalId) return existing;
  if (existing) throw alreadyMember();
  await addMembers(deps, [invited], tx);
  emitMember(tx, 'member.invited', invited);
  if (invited.status === 'active') emitMember(tx, 'member.joined', invited);
  return invited;
}

async function findUserId({ users }: ProviderDeps, by: Principal, { subject }: ProviderMember): Promise<string | null> {
  const inviter = subject === null ? null : await users.find(by.id);
  return (inviter && (await users.findBySubject(inviter.issuer, subject!))?._id) ?? null;
}
