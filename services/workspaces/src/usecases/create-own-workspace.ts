import { fail, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { assertPerson, unknownAddress, writtenNow, type Member } from '../domain/member.js';
import { newMember } from '../domain/mirror.js';
import type { User } from '../domain/user.js';
import { newWorkspace, workspaceName, type Workspace } from '../domain/workspace.js';
import { addMembers } from './add-members.js';
import type { PeopleDeps } from './deps.js';
import { describeWorkspace, type DescribedWorkspace } from './describe-workspaces.js';
import { tellMember } from './member-events.js';
import { releaseWorkspace, reserveWorkspace } from './reserve-workspace.js';
import { retryDuplicates } from './retry-duplicates.js';
import { emitWorkspace } from './workspace-events.js';

interface Wanted {
  by: Principal;
  credential: string;
  name: string;
  /** Aborted when the caller's deadline passed; a workspace that waits for its turn is not created then. */
  signal: AbortSignal;
}

/**
 * Creates a workspace at the identity provider and then locally, with the user as its owner. Emits `workspace.created` and
 * `member.joined`. Throws PERSON_ONLY, VALIDATION_ERROR naming `name`, also when the user owns `maxWorkspacesPerUser`, before
 * the provider is called, and UPSTREAM_UNAVAILABLE if the provider fails; nothing was created locally then.
 */
export async function createOwnWorkspace(
  deps: PeopleDeps,
  { by, credential, name, signal }: Wanted,
): Promise<DescribedWorkspace> {
  assertPerson(by);
  const wanted = workspaceName(name);
  const reservation = await deps.mutex.run(by.id, () => reserveWorkspace(deps, by), signal);
  try {
    if (!deps.provider) throw fail('UPSTREAM_UNAVAILABLE', 'No identity provider is configured.');
    const { directory } = deps.provider;
    const externalId = directory && (await directory.createWorkspace(await deps.accessTokenOf(credential), wanted)).id;
    const at = deps.now();
    const workspace = newWorkspace(deps.defaultPlan, { externalId, name: wanted, asOf: writtenNow(at), createdAt: at });
    const created = await retryDuplicates(() => deps.transact(by, (tx) => write(deps, { workspace, by, reservation }, tx))); // prettier-ignore
    deps.dropCredentials({ userIds: [by.id] });
    return await describeWorkspace(deps, created, { role: 'owner', current: created._id === by.workspaceId });
  } catch (error) {
    // If this fails too, the reservation ends by its time.
    await deps.transact(by, (tx) => releaseWorkspace(deps, { by, reservation }, tx)).catch(() => undefined);
    throw error;
  }
}

interface Written {
  workspace: Workspace;
  by: Principal;
  reservation: string;
}

async function write(deps: PeopleDeps, { workspace, by, reservation }: Written, tx: Transaction): Promise<Workspace> {
  const user = await releaseWorkspace(deps, { by, reservation }, tx);
  // A concurrent list of the workspaces may have mirrored it already.
  const [mirrored] = workspace.externalId ? await deps.workspaces.findProvided([workspace.externalId], tx) : [];
  if (mirrored) return mirrored;
  await deps.workspaces.insert([workspace], tx);
  emitWorkspace(tx, 'workspace.created', workspace);
  const owner = ownerOf(workspace, user);
  await addMembers(deps, [owner], tx);
  tellMember(tx, 'member.joined', owner);
  return workspace;
}

function ownerOf({ _id, createdAt: at }: Workspace, { _id: userId, name, ...user }: User): Member {
  const email = user.email || unknownAddress(userId);
  const owning = { externalId: null, userId, email, name, role: 'owner' as const, status: 'active' as const };
  return { ...newMember(_id, { ...owning, joinedAt: at }, at), asOf: writtenNow(at) };
}
