import { fail, newId, type Principal } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { assertPerson, unknownAddress, writtenNow } from '../domain/member.js';
import { newMember } from '../domain/mirror.js';
import type { User } from '../domain/user.js';
import { workspaceData, workspaceName, type Workspace } from '../domain/workspace.js';
import type { PeopleDeps } from './deps.js';
import { describeWorkspace, type DescribedWorkspace } from './describe-workspaces.js';
import { tellMember } from './member-events.js';
import { retryDuplicates } from './retry-duplicates.js';

/**
 * Creates a workspace at the identity provider and then here, with the person as its owner; tells `workspace.created` and
 * `member.joined`. Throws PERSON_ONLY, VALIDATION_ERROR naming `name`, UPSTREAM_UNAVAILABLE when the provider fails: then
 * nothing was made here.
 */
export async function createOwnWorkspace(
  deps: PeopleDeps,
  { by, credential, name }: { by: Principal; credential: string; name: string },
): Promise<DescribedWorkspace> {
  assertPerson(by);
  const wanted = workspaceName(name);
  const user = await deps.users.find(by.id);
  if (!user) throw fail('UNAUTHENTICATED', 'Nobody of this id is known.');
  if (!deps.provider) throw fail('UPSTREAM_UNAVAILABLE', 'No identity provider is configured.');
  const { directory } = deps.provider;
  const externalId = directory && (await directory.createWorkspace(await deps.accessTokenOf(credential), wanted)).id;
  const workspace = newWorkspace(wanted, externalId, deps.now());
  const made = await retryDuplicates(() => deps.transact(by, (tx) => write(deps, workspace, user, tx)));
  deps.dropCredentials({ userIds: [user._id] });
  return describeWorkspace(deps, made, { role: 'owner', current: made._id === by.workspaceId });
}

async function write(deps: PeopleDeps, workspace: Workspace, user: User, tx: Transaction): Promise<Workspace> {
  // A list that ran meanwhile may have mirrored it already.
  const [mirrored] = workspace.externalId ? await deps.workspaces.findProvided([workspace.externalId], tx) : [];
  if (mirrored) return mirrored;
  await deps.workspaces.insert([workspace], tx);
  tx.emit({
    type: 'workspace.created',
    workspaceId: workspace._id,
    target: { type: 'workspace', id: workspace._id, label: workspace.name },
    data: workspaceData(workspace),
  });
  const { _id: userId, name } = user;
  const email = user.email || unknownAddress(userId);
  const owning = { externalId: null, userId, email, name, role: 'owner' as const, status: 'active' as const };
  const at = workspace.createdAt;
  const owner = { ...newMember(workspace._id, { ...owning, joinedAt: at }, at), asOf: writtenNow(at) };
  await deps.members.insert([owner], tx);
  tellMember(tx, 'member.joined', owner);
  return workspace;
}

const newWorkspace = (name: string, externalId: string | undefined, at: Date): Workspace => ({
  _id: newId('ws'),
  ...(externalId !== undefined && { externalId }),
  name,
  plan: 'FREE',
  linkCount: 0,
  qrCodeCount: 0,
  asOf: writtenNow(at),
  createdAt: at,
});
