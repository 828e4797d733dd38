import { errorCatalog, fail, httpStatus, isFault, timeOfId, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import type { Transaction } from '@tautan/kit/mongo';
import { assertUser, unknownAddress, asOfWrite, type Member } from '../../members/domain/member.js';
import { newMember } from '../domain/mirror.js';
import type { User } from '../../sessions/domain/user.js';
import { newWorkspace, workspaceName, type Workspace } from '../domain/workspace.js';
import type { Directory } from '../../provider/identity-provider.js';
import { addMembers } from '../../members/steps/add-members.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { describeWorkspace, type DescribedWorkspace } from '../steps/describe-workspaces.js';
import { emitMember } from '../../members/steps/member-events.js';
import { releaseWorkspace, reserveWorkspace } from '../steps/reserve-workspace.js';
import { retryDuplicates } from '../steps/retry-duplicates.js';
import { storeAccepted } from '../steps/store-accepted.js';
import { emitWorkspace } from '../steps/workspace-events.js';

interface Wanted {
  credential: string;
  name: string;
  /** ULID. Repeating it returns the workspace that the first attempt created. */
  operationId?: string | undefined;
}

/**
 * Creates a workspace with the user as its owner: first at the identity provider, unless workspaces are managed
 * locally, and then locally. Emits `workspace.created` and `member.joined`. Repeating the operation id returns the
 * workspace of the first attempt, even if the provider's response was lost. Before the provider is called, throws
 * PERSON_ONLY if the principal is an API key, and VALIDATION_ERROR naming `name` if the name is invalid or the user
 * already owns `maxWorkspacesPerUser` workspaces. Throws UPSTREAM_UNAVAILABLE if the provider fails; nothing is created
 * locally then.
 */
export async function createOwnWorkspace(
  deps: ProviderDeps & Pick<CallDeps, 'signal'>,
  by: Principal,
  { credential, name, operationId }: Wanted,
): Promise<DescribedWorkspace> {
  assertUser(by);
  const validName = workspaceName(name);
  const reserved = await deps.mutex.run(by.id, () => reserveWorkspace(deps, { by, operationId }), deps.signal);
  const { id: reservation, earlier } = reserved;
  const existing = earlier?.workspaceId === undefined ? null : await deps.workspaces.find(earlier.workspaceId);
  if (existing) return describeWorkspace(deps, existing, { role: 'owner', current: existing._id === by.workspaceId });
  try {
    if (!deps.provider) throw fail('UPSTREAM_UNAVAILABLE', 'No identity provider is configured.');
    const { directory } = deps.provider;
    const context = directory && { directory, token: await deps.accessTokenOf(credential), name: validName };
    const externalId =
      context &&
      ((earlier && (await findUnrecorded(deps, context, timeOfId(reservation)))) ??
        (await directory.createWorkspace(context.token, validName)).id);
    const at = deps.now();
    const workspace = newWorkspace(deps.defaultPlan, {
      externalId,
      name: validName,
      asOf: asOfWrite(at),
      createdAt: at,
    });
    const writeInput = { workspace, by, reservation, isRepeatable: operationId !== undefined };
    const store = () => retryDuplicates(() => deps.transact(by, (tx) => write(deps, writeInput, tx)));
    const created = await storeAccepted(deps, workspace, store);
    deps.recheckCredentials({ userIds: [by.id] });
    return await describeWorkspace(deps, created, { role: 'owner', current: created._id === by.workspaceId });
  } catch (error) {
    // The outcome is unknown. The reservation expires but stays stored, so that a retry first checks what the provider
    // created.
    if (operationId !== undefined && isOutcomeUnknown(error)) throw error;
    // If this fails as well, the reservation expires.
    await deps.transact(by, (tx) => releaseWorkspace(deps, { by, reservation }, tx)).catch(() => undefined);
    throw error;
  }
}

const isOutcomeUnknown = (error: unknown): boolean =>
  !isFault(error) || httpStatus[errorCatalog[error.code].kind] >= 500;

/**
 * Returns the provider's id of the workspace that an earlier attempt, started at `since`, created without recording it.
 * It is owned by the user, has this name, and was not mirrored locally before `since`. Undefined if there is none.
 */
async function findUnrecorded(
  { transact, workspaces }: ProviderDeps,
  { directory, token, name }: { directory: Directory; token: string; name: string },
  since: Date,
): Promise<string | undefined> {
  const provided = await directory.listWorkspaces(token);
  const ids = provided.filter((one) => one.role === 'owner' && one.name === name).map(({ id }) => id);
  const mirrors = await transact(null, (tx) => workspaces.findProvided(ids, tx));
  const mirrorOf = new Map(mirrors.map((mirror) => [mirror.externalId, mirror]));
  return ids.find((id) => !mirrorOf.has(id)) ?? ids.find((id) => mirrorOf.get(id)!.createdAt >= since);
}

interface WriteInput {
  workspace: Workspace;
  by: Principal;
  reservation: string;
  /** Whether a retry must find the created workspace. */
  isRepeatable: boolean;
}

async function write(deps: ProviderDeps, input: WriteInput, tx: Transaction): Promise<Workspace> {
  const { workspace, by, reservation, isRepeatable } = input;
  // A concurrent request that read the provider's workspaces may already have mirrored this one.
  const [mirrored] = workspace.externalId ? await deps.workspaces.findProvided([workspace.externalId], tx) : [];
  const outcome = isRepeatable ? { workspaceId: (mirrored ?? workspace)._id } : {};
  const user = await releaseWorkspace(deps, { by, reservation, ...outcome }, tx);
  if (mirrored) return mirrored;
  await deps.workspaces.insert([workspace], tx);
  emitWorkspace(tx, 'workspace.created', workspace);
  const owner = ownerOf(workspace, user);
  await addMembers(deps, [owner], tx);
  emitMember(tx, 'member.joined', owner);
  return workspace;
}

function ownerOf({ _id, createdAt: at }: Workspace, { _id: userId, name, ...user }: User): Member {
  const email = user.email || unknownAddress(userId);
  const owning = { externalId: null, userId, email, name, role: 'owner' as const, status: 'active' as const };
  return { ...newMember(_id, { ...owning, joinedAt: at }, at), asOf: asOfWrite(at) };
}
